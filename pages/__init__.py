"""Games as pages and pictures for a person to look at."""
