"""Runs the settings of an editor in Lua, where `vim` keeps what it is handed, and prints that as JSON."""

import json
import sys

import lupa

STAND_IN = """
local kept = {}
vim = { lsp = { enable = function() end } }
vim.lsp.config = setmetatable({}, { __call = function(_, name, settings) kept[name] = settings end })
return kept
"""


def plain(value):
    """A table as JSON knows it: a list where its keys count from 1."""
    if lupa.lua_type(value) != "table":
        return value
    keys = list(value.keys())
    if keys and keys == list(range(1, len(keys) + 1)):
        return [plain(value[key]) for key in keys]
    return {str(key): plain(value[key]) for key in keys}


lua = lupa.LuaRuntime(unpack_returned_tuples=True)
kept = lua.execute(STAND_IN)
lua.execute(sys.stdin.read())
print(json.dumps(plain(kept), sort_keys=True))
