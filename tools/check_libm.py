#!/usr/bin/env python3
"""Does the library call only those functions of libm that round in one way on every machine?

    tools/check_libm.py --objects FILE [--nm NM]     FILE lists the library's object files, one per line
    tools/check_libm.py --self-test

Sines, exponentials and the like differ between C libraries and processors, and fmax() in the sign of a zero: the same input
would not give the same bits. src/math/elementary.h has ours. Exit code 77: there is no nm to look with.
"""
import argparse
import shutil
import subprocess
import sys

DIFFERENT = {stem + kind
             for stem in ("acos acosh asin asinh atan atan2 atanh cbrt cos cosh erf erfc exp exp10 exp2 expm1 fmax fmin hypot "
                          "lgamma log log10 log1p log2 pow sin sincos sinh tan tanh tgamma fma").split()
             for kind in ("", "f", "l")}


def calls(listing):
    """(file, function) of every undefined symbol in what `nm -A -u` prints."""
    for line in listing.splitlines():
        file, _, symbol = line.rpartition(" U ")
        if file:
            yield file.strip().rstrip(":"), symbol.strip()


def faults(listing):
    return sorted(f"{file}: calls {symbol}()" for file, symbol in calls(listing) if symbol in DIFFERENT)


def self_test():
    listing = "a.o:                 U sqrt\nb.o:                 U sin\nc.o:                 U crn_sin\nc.o:                 U fmax\n"
    found = faults(listing)
    if found != ["b.o: calls sin()", "c.o: calls fmax()"]:
        sys.exit(f"self-test: found {found}")
    print("self-test passed")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--objects")
    parser.add_argument("--nm", default="nm")
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        self_test()
        return
    if shutil.which(arguments.nm) is None:
        print(f"skipped: no {arguments.nm}")
        sys.exit(77)
    with open(arguments.objects, encoding="utf-8") as file:
        objects = file.read().split()
    listing = subprocess.run([arguments.nm, "-A", "-u", *objects], check=True, capture_output=True, text=True).stdout
    found = faults(listing)
    print("\n".join(found) or f"{len(objects)} objects call none of {len(DIFFERENT)} functions")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
