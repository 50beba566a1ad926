"""How hard a deal is for a person who cannot see the face-down cards."""
