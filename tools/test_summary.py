#!/usr/bin/env python3
"""What a run of ctest found, in a line, and why tests were skipped or failed.

    ctest ... --output-junit FILE; tools/test_summary.py FILE
    tools/test_summary.py --self-test

Prints `N run, P passed, S skipped, F failed`, then a line per skipped test with the last line that it printed, and one per
failure: what ctest says, or else that line. Exits 1 if a test failed or none was run.
"""
import sys
import xml.etree.ElementTree as ElementTree


def last_line(case):
    lines = [line.strip() for line in (case.findtext("system-out") or "").splitlines() if line.strip()]
    return lines[-1] if lines else "says nothing"


def reason_of(case):
    """Of a failure. ctest has a word for timeouts and signals, none for an exit code."""
    found = case.find("failure")
    if found is None:
        return "not run"
    return found.get("message") or last_line(case)


def summary(root):
    """Lines to print and whether all is well."""
    cases = root.findall("testcase")
    skipped = [case for case in cases if case.find("skipped") is not None]
    failed = [case for case in cases if case.find("skipped") is None and case.get("status") != "run"]
    run = len(cases) - len(skipped)
    lines = [f"{run} run, {run - len(failed)} passed, {len(skipped)} skipped, {len(failed)} failed"]
    lines += [f"  skipped {case.get('name')}: {last_line(case)}" for case in skipped]
    for case in failed:
        lines.append(f"  FAILED {case.get('name')} after {float(case.get('time', 0)):.0f} s: {reason_of(case)}")
    return lines, run > 0 and not failed


def self_test():
    text = """<testsuite>
      <testcase name="a" time="1" status="run"><system-out>fine</system-out></testcase>
      <testcase name="b" time="0" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/><system-out>begins
      there is no oracle
      </system-out></testcase>
      <testcase name="c" time="600" status="fail"><failure message="Timeout"/><system-out/></testcase>
      <testcase name="d" time="2" status="fail"><failure message=""/><system-out>1 FAILED TEST(S)</system-out></testcase>
      <testcase name="e" time="0" status="notrun"/></testsuite>"""
    lines, is_well = summary(ElementTree.fromstring(text))
    assert lines == ["4 run, 1 passed, 1 skipped, 3 failed", "  skipped b: there is no oracle",
                     "  FAILED c after 600 s: Timeout", "  FAILED d after 2 s: 1 FAILED TEST(S)",
                     "  FAILED e after 0 s: not run"], lines
    assert not is_well
    assert not summary(ElementTree.fromstring("<testsuite/>"))[1]


def main():
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        return 0
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    lines, is_well = summary(ElementTree.parse(sys.argv[1]).getroot())
    print("\n".join(lines))
    return 0 if is_well else 1


if __name__ == "__main__":
    sys.exit(main())
