"""Cards, rules, deals, moves, the plain referee and the jitted kernel of the game."""
