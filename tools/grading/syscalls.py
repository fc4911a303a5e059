"""The system calls that a submission is refused, as a filter for the kernel (seccomp).

Bubblewrap alone leaves them open. With them a submission could become root in a namespace of its
own and mount file systems there that no limit counts, reach the host of a virtual machine (vsock),
or read keys of the teacher's login. It may start threads, and no process: so the limit of memory,
which the system counts for each process, is one of the whole submission. On machines other than
x86-64 and ARM64 there is no filter.
"""

import platform
import struct

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}  # as the kernel's audit names them
NONE = 0xFFFFFFFF  # no number: ARM64 has clone alone
REFUSED = {
    "add_key": (248, 217), "bpf": (321, 280), "fork": (57, NONE), "fsopen": (430, 430),
    "io_uring_setup": (425, 425), "keyctl": (250, 219), "memfd_create": (319, 279),
    "memfd_secret": (447, 447), "mount": (165, 40), "open_by_handle_at": (304, 265),
    "open_tree": (428, 428), "perf_event_open": (298, 241), "pivot_root": (155, 41),
    "process_vm_readv": (310, 270), "process_vm_writev": (311, 271), "ptrace": (101, 117),
    "request_key": (249, 218), "setns": (308, 268), "shmget": (29, 194),
    "umount2": (166, 39), "unshare": (272, 97),
    "userfaultfd": (323, 282), "vfork": (58, NONE),
}  # fmt: skip
CLONE, CLONE3, SOCKET = (56, 220), (435, 435), (41, 198)
THREAD = 0x10000  # the flag of clone without which it makes a process
FAMILIES = (1, 2, 10, 16)  # of sockets: Unix, IPv4, IPv6 and netlink, which end at the wall
NUMBER, ARCHITECTURE, FIRST = 0, 4, 16  # where the filter finds the call and its first argument
LOAD, EQUAL, AT_LEAST, HAS, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOWED, NOT_PERMITTED, NO_SUCH_CALL = 0x7FFF0000, 0x00050001, 0x00050026


def program(machine=None):
    """Return the filter as the kernel reads it; empty bytes where the numbers are not known."""
    machine = machine or platform.machine()
    if machine not in ARCHITECTURES:
        return b""
    of = list(ARCHITECTURES).index(machine)
    refuse, read_number = (RETURN, 0, 0, NOT_PERMITTED), (LOAD, 0, 0, NUMBER)
    read_first = (LOAD, 0, 0, FIRST)
    # (operation, lines to skip if it holds, lines to skip if not, value)
    lines = [(LOAD, 0, 0, ARCHITECTURE), (EQUAL, 1, 0, ARCHITECTURES[machine]), refuse]
    lines += [read_number, (AT_LEAST, 0, 1, 1 << 30), refuse]  # x32, another set of numbers
    for numbers in REFUSED.values():
        lines += [(EQUAL, 0, 1, numbers[of]), refuse]
    # A filter cannot see the flags of clone3. Without it the C library falls back on clone.
    lines += [(EQUAL, 0, 1, CLONE3[of]), (RETURN, 0, 0, NO_SUCH_CALL)]
    lines += [(EQUAL, 0, 3, CLONE[of]), read_first, (HAS, 1, 0, THREAD), refuse, read_number]
    count = len(FAMILIES)
    lines += [(EQUAL, 0, 2 + count, SOCKET[of]), read_first]
    lines += [(EQUAL, count - n, 0, family) for n, family in enumerate(FAMILIES)]
    lines += [refuse, (RETURN, 0, 0, ALLOWED)]
    return b"".join(struct.pack("=HBBI", *line) for line in lines)
