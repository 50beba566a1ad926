"""`python -m double_solitaire` is `dsol`."""

from .cli.main import main

if __name__ == "__main__":
    main()
