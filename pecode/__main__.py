"""`python -m pecode` says where its commands went; this module goes with the next release."""

import sys

if __name__ == "__main__":
    asked = " ".join(sys.argv[1:])
    print(f"The commands are those of pecheck now: python -m pecheck {asked}", file=sys.stderr)
    sys.exit(2)
