"""Double Solitaire for two: rules, play, and what can be known, over the layouts of `engine`."""
