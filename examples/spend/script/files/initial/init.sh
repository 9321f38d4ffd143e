#!/bin/bash
# Makes a fresh checkout ready. There is nothing to install: spend needs Python 3.11 and pytest, and no network.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

python3 - <<'CHECK'
import sys

if sys.version_info < (3, 11):
    sys.exit(f"spend needs Python 3.11 or newer, this is {sys.version.split()[0]}")
CHECK
python3 -m pytest --version
