"""The table in the terminal: what is played on it, apart from the widgets that show it."""
