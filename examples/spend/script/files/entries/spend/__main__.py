import sys

from spend.cli import main

sys.exit(main())
