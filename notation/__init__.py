"""How deals, positions and lists of moves are written down: what files and people say."""
