"""Landlock: takes from the calling process, for good, every file but the named ones, and the network. Linux only, no
root needed.

Where the kernel has no Landlock `restrict` answers False, and the other layers (locked settings, limits, kill) stand
alone.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from collections.abc import Iterable

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_PATH_BENEATH = 1
_NO_NEW_PRIVS = 38
_READ_FILE, _READ_DIR = 1 << 2, 1 << 3
_WRITE = (1 << 1) | (1 << 4) | (1 << 5) | (1 << 7) | (1 << 8)
"""Write to, remove and make files and directories."""
_FILE_RIGHTS_BY_ABI = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 4: (1 << 15) - 1}
_FILE_RIGHTS_LATER = (1 << 16) - 1
_TRUNCATE = 1 << 14
_NETWORK = 0b11
"""Bind and connect TCP."""


def version() -> int:
    """The kernel's Landlock version; 0 where there is none."""
    if sys.platform != "linux":
        return 0
    libc = ctypes.CDLL(None, use_errno=True)
    return max(int(libc.syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), 1)), 0)


def restrict(*, readable: Iterable[str], readable_trees: Iterable[str] = (), writable_tree: str | None = None) -> bool:
    """From now on only these files can be read, and only `writable_tree` written; no TCP, no exec. False: not
    available."""
    abi = version()
    if not abi:
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    handled = _FILE_RIGHTS_BY_ABI.get(abi, _FILE_RIGHTS_LATER)
    attributes = struct.pack("=QQ", handled, _NETWORK) if abi >= 4 else struct.pack("=Q", handled)
    buffer = ctypes.create_string_buffer(attributes, len(attributes))
    ruleset = int(libc.syscall(_CREATE_RULESET, buffer, ctypes.c_size_t(len(attributes)), 0))
    if ruleset < 0:
        return False
    try:
        for path in readable:
            _allow(libc, ruleset, path, _READ_FILE)
        for path in readable_trees:
            _allow(libc, ruleset, path, _READ_FILE | _READ_DIR)
        if writable_tree:
            _allow(libc, ruleset, writable_tree, handled & (_READ_FILE | _READ_DIR | _WRITE | _TRUNCATE))
        if libc.prctl(_NO_NEW_PRIVS, 1, 0, 0, 0):
            return False
        return int(libc.syscall(_RESTRICT_SELF, ruleset, 0)) == 0
    finally:
        os.close(ruleset)


def _allow(libc: ctypes.CDLL, ruleset: int, path: str, rights: int) -> None:
    try:
        target = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        rule = ctypes.create_string_buffer(struct.pack("=Qi", rights, target), 12)
        if int(libc.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, rule, 0)):
            raise OSError(ctypes.get_errno(), f"Landlock refused a rule for {path}")
    finally:
        os.close(target)
