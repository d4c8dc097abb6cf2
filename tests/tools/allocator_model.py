# SPDX-FileCopyrightText: 2026 the headroom authors
# SPDX-License-Identifier: MIT
"""A slow model of the caching allocator's default rules, to check traces with. It searches every block."""

MIB = 2**20


class Piece:
    """A part of a segment: handed out, waiting for other streams, or free."""

    def __init__(self, segment, offset, size):
        self.segment, self.offset, self.size = segment, offset, size
        self.requested = 0
        self.uses = set()  # streams that use it beside its own
        self.waits = None  # the uses that have not passed, once it is freed
        self.free = True


class Segment:
    def __init__(self, order, size, stream, small):
        self.order, self.size, self.stream, self.small = order, size, stream, small
        self.pieces = [Piece(self, 0, size)]


class Model:
    """Replays the lines of a trace. Figures are those of torch.cuda.memory_stats."""

    def __init__(self):
        self.capacity, self.settings = None, {}
        self.segments, self.made = [], 0
        self.blocks = {}  # id: Piece, or None where nothing is held
        self.retries = self.ooms = 0
        self.allocated = self.reserved = self.requested = 0
        self.reset()

    def reset(self):
        self.peaks = {"allocated": self.allocated, "reserved": self.reserved, "requested": self.requested}

    def replay(self, text):
        lines = text.splitlines()
        assert lines[0] == "headroom-trace 1", lines[0]
        for line in lines[1:]:
            word, *rest = line.split()
            if word == "capacity":
                self.capacity = int(rest[0])
            elif word == "setting":
                self.settings[rest[0]] = rest[1]
            elif not word.startswith("#"):
                getattr(self, "_" + word)(*map(int, rest))
                for name in self.peaks:
                    self.peaks[name] = max(self.peaks[name], getattr(self, name))
        return self

    def figures(self):
        active = sum(piece.size for piece in self._pieces() if not piece.free)
        return {
            "allocated_bytes.all.current": self.allocated,
            "allocated_bytes.all.peak": self.peaks["allocated"],
            "reserved_bytes.all.current": self.reserved,
            "reserved_bytes.all.peak": self.peaks["reserved"],
            "requested_bytes.all.current": self.requested,
            "requested_bytes.all.peak": self.peaks["requested"],
            "active_bytes.all.current": active,
            "segment.all.current": len(self.segments),
            "num_alloc_retries": self.retries,
            "num_ooms": self.ooms,
        }

    def _pieces(self):
        return (piece for segment in self.segments for piece in segment.pieces)

    def _a(self, number, stream, size):
        assert number not in self.blocks, f"id {number} twice"
        self._release_passed()
        rounded = max(512, (size + 511) // 512 * 512)
        small = rounded <= MIB
        piece = self._best_fit(rounded, stream, small) or self._new_segment(rounded, stream, small)
        if piece is None:
            self.retries += 1
            self._e()
            piece = self._new_segment(rounded, stream, small)
        self.blocks[number] = piece
        if piece is None:
            self.ooms += 1
            return
        rest = piece.size - rounded
        if rest >= 512 if small else rest > MIB:
            segment = piece.segment
            segment.pieces.insert(
                segment.pieces.index(piece) + 1, Piece(segment, piece.offset + rounded, rest)
            )
            piece.size = rounded
        piece.free, piece.requested, piece.uses = False, size, set()
        self.allocated += piece.size
        self.requested += size

    def _best_fit(self, size, stream, small):
        fitting = [
            piece
            for piece in self._pieces()
            if piece.free
            and piece.size >= size
            and piece.segment.stream == stream
            and piece.segment.small == small
        ]
        return min(fitting, key=lambda piece: (piece.size, piece.segment.order, piece.offset), default=None)

    def _new_segment(self, size, stream, small):
        length = (
            2 * MIB
            if small
            else 20 * MIB if size < 10 * MIB else (size + 2 * MIB - 1) // (2 * MIB) * (2 * MIB)
        )
        if self.reserved + length > self.capacity:
            return None
        self.segments.append(Segment(self.made, length, stream, small))
        self.made += 1
        self.reserved += length
        return self.segments[-1].pieces[0]

    def _f(self, number):
        piece = self.blocks.pop(number)
        if piece is not None:
            self.allocated -= piece.size
            piece.waits = piece.uses
            if not piece.waits:
                self._release(piece)

    def _u(self, number, stream):
        piece = self.blocks[number]
        if piece is not None and stream != piece.segment.stream:
            piece.uses.add(stream)

    def _s(self, stream):
        for piece in self._pieces():
            if piece.waits:
                piece.waits = piece.waits - {stream}

    def _e(self):
        for piece in self._pieces():
            if piece.waits is not None:
                piece.waits = set()
        self._release_passed()
        for segment in [
            segment for segment in self.segments if len(segment.pieces) == 1 and segment.pieces[0].free
        ]:
            self.segments.remove(segment)
            self.reserved -= segment.size

    def _r(self):
        self.reset()

    def _release_passed(self):
        for piece in [piece for piece in self._pieces() if piece.waits is not None and not piece.waits]:
            self._release(piece)

    def _release(self, piece):
        self.requested -= piece.requested
        piece.free, piece.waits = True, None
        pieces = piece.segment.pieces
        at = pieces.index(piece)
        if at + 1 < len(pieces) and pieces[at + 1].free:
            piece.size += pieces.pop(at + 1).size
        if at > 0 and pieces[at - 1].free:
            pieces[at - 1].size += pieces.pop(at).size
