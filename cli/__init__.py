"""The command `dsol`."""
