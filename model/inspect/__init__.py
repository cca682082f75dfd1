"""Everything that looks into a run or changes it: edits, traces, checks, metrics."""
