"""Parses PowerShell; says where it is none, and fails then."""

import sys

import tree_sitter_powershell
from tree_sitter import Language, Parser

text = sys.stdin.buffer.read()
tree = Parser(Language(tree_sitter_powershell.language())).parse(text)


def wrong(node):
    """Nodes that the grammar could make nothing of."""
    if node.is_error or node.is_missing:
        yield node
    elif node.has_error:
        for child in node.children:
            yield from wrong(child)


found = [f"{node.start_point.row + 1}:{node.start_point.column + 1}" for node in wrong(tree.root_node)]
print("\n".join(found) or "ok")
sys.exit(1 if found or not text.strip() else 0)
