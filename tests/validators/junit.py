"""Reads JUnit's XML as a reporter does, and prints what it counts."""

import sys

from junitparser import JUnitXml

report = JUnitXml.fromstring(sys.stdin.read())
report.update_statistics()
print(report.tests, report.failures, report.errors, report.skipped)
