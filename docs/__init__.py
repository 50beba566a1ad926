"""The manual, which `dsol help` reads."""
