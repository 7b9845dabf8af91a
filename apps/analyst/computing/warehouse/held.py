"""Folders that a process holds while it lives: whoever finds one that nobody holds may remove it.

A lock says who lives, and the system lets go of it when its process ends: numbers of processes come again, in
containers the same at each start.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from pathlib import Path


def held_folder(prefix: str, where: Path | None = None) -> tuple[str, int | None]:
    """A new folder and the lock on it; no lock where the disk knows none, and then nobody sweeps there either.

    Args:
        where: The folder to make it in; None: the machine's own for temporary files.
    """
    while True:
        made = tempfile.mkdtemp(prefix=prefix, dir=where)
        held = locked(Path(made), wait=True)
        if os.path.isdir(made):
            return made, held
        if held is not None:  # somebody swept it before it was locked
            os.close(held)


def held_sweep(prefix: str, where: Path | None = None) -> None:
    """Removes the folders of that kind whose processes were killed."""
    for left in (where or Path(tempfile.gettempdir())).glob(f"{prefix}*"):
        held = locked(left)
        if held is not None:
            shutil.rmtree(left, ignore_errors=True)
            os.close(held)


def locked(folder: Path, *, wait: bool = False) -> int | None:
    """A descriptor that holds the lock on a folder; None where another has it (unless waited for), or none can be
    had."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:
        os.close(descriptor)
        return None
    return descriptor
