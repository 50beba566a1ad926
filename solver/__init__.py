"""Search: winnability, plans, and the player's moves that carry a plan out."""
