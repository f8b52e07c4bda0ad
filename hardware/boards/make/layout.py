"""Makes the board of a data file: places its parts, lays its tracks, pours its planes. Runs only
where pcbnew is installed."""

from collections.abc import Mapping
from math import cos, radians, sin
from pathlib import Path

import pcbnew

from hardware.boards.make.data import OPEN, Area, Board, Part, Text, full_name
from hardware.boards.make.grid import Pad
from hardware.boards.make.library import KICAD, OWN
from hardware.boards.make.project import CLEARANCE, DRILL, EDGE, VIA
from hardware.boards.make.router import Router, Stuck, Track
from hardware.boards.make.silk import place_references, print_values, widen
from hardware.boards.make.tidy import tidy

ORIGIN = (50.0, 50.0)
"""Where the board's upper left corner lies on KiCad's sheet."""
GROUND = "GND"
STITCH = 6.0
TRIES = 4
"""How often tracks are tried between pads of ground that the planes do not reach."""
LAYERS = {"F.Cu": pcbnew.F_Cu, "B.Cu": pcbnew.B_Cu}


def nm(mm: float) -> int:
    """Convert millimetres to KiCad's own unit."""
    return round(mm * 1_000_000)


def at(x: float, y: float) -> "pcbnew.VECTOR2I":
    """A place on the board, as KiCad's sheet has it."""
    return pcbnew.VECTOR2I(nm(ORIGIN[0] + x), nm(ORIGIN[1] + y))


def _drop_lonely(pcb: "pcbnew.BOARD") -> int:
    """Remove stitching vias that touch only one plane. Returns how many."""
    ends = {
        (end.x, end.y)
        for track in pcb.GetTracks()
        if track.GetClass() == "PCB_TRACK"
        for end in (track.GetStart(), track.GetEnd())
    }
    dropped = 0
    for via in [each for each in pcb.GetTracks() if each.GetClass() == "PCB_VIA"]:
        place = via.GetPosition()
        if via.GetNetname() != GROUND or (place.x, place.y) in ends:
            continue
        reached = [
            layer
            for layer in LAYERS.values()
            if any(
                zone.IsOnLayer(layer) and zone.HitTestFilledArea(layer, place)
                for zone in pcb.Zones()
                if not zone.GetIsRuleArea()
            )
        ]
        if len(reached) < len(LAYERS):
            pcb.Delete(via)
            dropped += 1
    return dropped


class Layout:
    """A board while it is made."""

    def __init__(
        self, board: Board, path: Path, unconnected: Mapping[tuple[str, str], str]
    ) -> None:
        """``unconnected``: the names that the schematic's netlist has for the nets of open pins."""
        self.board, self.path, self.unconnected = board, path, unconnected
        path.unlink(missing_ok=True)
        self.pcb = pcbnew.NewBoard(str(path))
        self.nets: dict[str, pcbnew.NETINFO_ITEM] = {}

    def make(self) -> str:
        """Make the whole board and save it. Returns a line that says how it went."""
        self._settings()
        for part in self.board.parts:
            self._part(part)
        self._outline()
        for each in self.board.areas:
            self._area(each)
        said = self._tracks()
        for text in self.board.texts:
            self._text(text)
        print_values(self.pcb, self.board)
        place_references(self.pcb, self.board, at)
        self._plane("F.Cu")
        self._plane("B.Cu")
        pcbnew.SaveBoard(str(self.path), self.pcb)
        tidy(self.board, self.path)
        # A board has its design rules only after it is loaded from a file, and its planes come out
        # the same each time only in the file's order.
        filled = pcbnew.LoadBoard(str(self.path))
        pcbnew.ZONE_FILLER(filled).Fill(filled.Zones())
        if _drop_lonely(filled):
            pcbnew.ZONE_FILLER(filled).Fill(filled.Zones())
        pcbnew.SaveBoard(str(self.path), filled)
        tidy(self.board, self.path)
        return said

    def _settings(self) -> None:
        block = self.pcb.GetTitleBlock()
        block.SetTitle(f"Facedown {self.board.title}")
        block.SetDate(self.board.date)
        block.SetRevision(self.board.version)
        block.SetCompany("Facedown")
        block.SetComment(0, self.board.about)
        block.SetComment(2, "Licence: CERN-OHL-P-2.0")
        settings = self.pcb.GetDesignSettings()
        settings.SetAuxOrigin(at(0, self.board.size[1]))
        settings.SetGridOrigin(at(0, 0))

    def _net(self, name: str) -> "pcbnew.NETINFO_ITEM":
        if name not in self.nets:
            self.nets[name] = pcbnew.NETINFO_ITEM(self.pcb, name)
            self.pcb.Add(self.nets[name])
        return self.nets[name]

    def _part(self, part: Part) -> None:
        library, _, name = part.footprint.partition(":")
        own = OWN / f"{library}.pretty"
        folder = own if own.exists() else KICAD / "footprints" / f"{library}.pretty"
        made = pcbnew.FootprintLoad(str(folder), name)
        if made is None:
            raise KeyError(f"{part.ref}: no library has the footprint {part.footprint}")
        made.SetFPID(pcbnew.LIB_ID(library, name))
        made.SetReference(part.ref)
        made.SetValue(part.value)
        self.pcb.Add(made)
        made.SetPosition(at(*part.at))
        if part.side == "bottom":
            made.Flip(at(*part.at), pcbnew.FLIP_DIRECTION_LEFT_RIGHT)
        made.SetOrientationDegrees(part.turn)
        widen(made)
        for field, said in (("Maker", part.maker), ("MPN", part.mpn), ("Instead", part.instead)):
            if part.symbol:
                made.SetField(field, said)
                made.GetFieldByName(field).SetVisible(False)
        if part.symbol:
            made.SetPath(pcbnew.KIID_PATH("/" + self.board.uuid("part", part.ref)))
            made.SetSheetname("/")
            made.SetSheetfile(f"{self.board.id}.kicad_sch")
        made.SetExcludedFromBOM(not part.placed)
        made.SetExcludedFromPosFiles(not part.placed)
        for pad in made.Pads():
            number = pad.GetNumber()
            net = part.pins.get(number)
            if net is None:
                if number:
                    raise KeyError(
                        f"{part.ref}: the footprint has a pad {number}, its symbol has not"
                    )
                continue
            name = self.unconnected[part.ref, number] if net == OPEN else full_name(net)
            pad.SetNet(self._net(name))
        missing = set(part.pins) - {pad.GetNumber() for pad in made.Pads()}
        if missing:
            raise KeyError(f"{part.ref}: {part.footprint} has no pad {sorted(missing)}")

    def _outline(self) -> None:
        (width, height), r = self.board.size, self.board.corner
        lines = [
            ((r, 0), (width - r, 0)),
            ((width, r), (width, height - r)),
            ((width - r, height), (r, height)),
            ((0, height - r), (0, r)),
        ]
        for start, end in lines:
            line = pcbnew.PCB_SHAPE(self.pcb, pcbnew.SHAPE_T_SEGMENT)
            line.SetStart(at(*start))
            line.SetEnd(at(*end))
            self._on_edge(line)
        middles = [
            (r, r, 180),
            (width - r, r, 270),
            (width - r, height - r, 0),
            (r, height - r, 90),
        ]
        for x, y, turn in middles:
            points = [
                at(x + r * cos(radians(turn + part)), y + r * sin(radians(turn + part)))
                for part in (0, 45, 90)
            ]
            arc = pcbnew.PCB_SHAPE(self.pcb, pcbnew.SHAPE_T_ARC)
            arc.SetArcGeometry(*points)
            self._on_edge(arc)

    def _on_edge(self, shape: "pcbnew.PCB_SHAPE") -> None:
        shape.SetLayer(pcbnew.Edge_Cuts)
        shape.SetWidth(nm(0.1))
        self.pcb.Add(shape)

    def _zone(
        self, rect: tuple[float, float, float, float], layers: tuple[str, ...]
    ) -> "pcbnew.ZONE":
        left, top, right, bottom = rect
        zone = pcbnew.ZONE(self.pcb)
        chosen = pcbnew.LSET()
        for layer in layers:
            chosen.AddLayer(LAYERS[layer])
        zone.SetLayerSet(chosen)
        outline = zone.Outline()
        outline.NewOutline()
        for x, y in ((left, top), (right, top), (right, bottom), (left, bottom)):
            place = at(x, y)
            outline.Append(place.x, place.y)
        self.pcb.Add(zone)
        return zone

    def _area(self, area: Area) -> None:
        zone = self._zone(area.rect, area.layers)
        zone.SetZoneName(area.name)
        if area.net:
            self._pour(zone, area.net, priority=10)
            return
        zone.SetIsRuleArea(True)
        zone.SetDoNotAllowCopperPour("pour" in area.bars)
        zone.SetDoNotAllowTracks("tracks" in area.bars)
        zone.SetDoNotAllowVias("vias" in area.bars)
        zone.SetDoNotAllowPads(False)
        zone.SetDoNotAllowFootprints(False)

    def _plane(self, layer: str) -> None:
        width, height = self.board.size
        zone = self._zone((0, 0, width, height), (layer,))
        zone.SetZoneName(f"{GROUND} {layer}")
        self._pour(zone, GROUND, priority=0)

    def _pour(self, zone: "pcbnew.ZONE", net: str, *, priority: int) -> None:
        zone.SetNet(self._net(full_name(net)))
        zone.SetAssignedPriority(priority)
        zone.SetLocalClearance(nm(0.25))
        zone.SetMinThickness(nm(0.25))
        zone.SetThermalReliefGap(nm(0.3))
        zone.SetThermalReliefSpokeWidth(nm(0.6))
        zone.SetPadConnection(pcbnew.ZONE_CONNECTION_THERMAL)
        zone.SetIslandRemovalMode(pcbnew.ISLAND_REMOVAL_MODE_ALWAYS)

    def _pads(self) -> list[Pad]:
        found = []
        names = {full_name(net): net for net in self.board.nets()}
        for footprint in self.pcb.GetFootprints():
            for pad in footprint.Pads():
                box, hole = pad.GetBoundingBox(), pad.GetDrillSize()
                layers = tuple(
                    number for number, layer in enumerate(LAYERS.values()) if pad.IsOnLayer(layer)
                )
                bare = pad.GetAttribute() == pcbnew.PAD_ATTRIB_NPTH
                width, height = box.GetWidth() / 1e6, box.GetHeight() / 1e6
                if bare:
                    width = height = hole.x / 1e6 + 0.15
                elif not layers or not pad.GetNumber():
                    continue  # paste alone
                middle = box.Centre()
                found.append(
                    Pad(
                        net="" if bare else names.get(pad.GetNetname(), ""),
                        x=middle.x / 1e6 - ORIGIN[0],
                        y=middle.y / 1e6 - ORIGIN[1],
                        width=width,
                        height=height,
                        disc=bare or pad.GetShape() == pcbnew.PAD_SHAPE_CIRCLE,
                        layers=(0, 1) if bare else layers,
                        part=footprint.GetReference(),
                        thin=footprint.GetReference() in self.board.thin,
                    )
                )
        return found

    def _barred(self) -> list[tuple[tuple[float, float, float, float], tuple[int, ...]]]:
        found = []
        zones = [zone for footprint in self.pcb.GetFootprints() for zone in footprint.Zones()]
        for zone in [*zones, *self.pcb.Zones()]:
            if not zone.GetIsRuleArea() or not zone.GetDoNotAllowTracks():
                continue
            box = zone.GetBoundingBox()
            rect = (
                box.GetLeft() / 1e6 - ORIGIN[0],
                box.GetTop() / 1e6 - ORIGIN[1],
                box.GetRight() / 1e6 - ORIGIN[0],
                box.GetBottom() / 1e6 - ORIGIN[1],
            )
            layers = tuple(at for at, layer in enumerate(LAYERS.values()) if zone.IsOnLayer(layer))
            found.append((rect, layers))
        return found

    def _router(self) -> Router:
        board = self.board
        return Router(
            board.size,
            self._pads(),
            {net: board.width_of(net) for net in board.nets()},
            corner=board.corner,
            clearance=CLEARANCE,
            edge=EDGE,
            via=VIA,
            barred=self._barred(),
        )

    def _tracks(self) -> str:
        board = self.board
        nets = [net for net in board.nets() if net != GROUND]
        order = sorted(nets, key=lambda net: (-board.width_of(net), net))
        led: list[Pad] = []
        for _ in range(TRIES):
            router = self._router()
            router.fan_out(GROUND)
            router.led[GROUND] = led
            rounds = router.route([*order, GROUND] if led else order)
            stitches = router.stitch(GROUND, STITCH)
            lonely = [pad for pad in router.lonely(GROUND) if pad not in led]
            if not lonely:
                break
            # A row of legs is cut off leg by leg: all of such a part are joined.
            cut = {pad.part for pad in [*led, *lonely]}
            led = [pad for pad in router.pads if pad.net == GROUND and pad.part in cut]
            led.append(router.anchor(GROUND, cut))
        else:
            raise Stuck(f"pads of {GROUND} lie on islands: {[(pad.x, pad.y) for pad in lonely]}")
        tracks, vias = router.result()
        for track in tracks:
            self._track(track)
        for via in vias:
            made = pcbnew.PCB_VIA(self.pcb)
            made.SetPosition(at(*via.at))
            made.SetDrill(nm(DRILL))
            made.SetWidth(pcbnew.F_Cu, nm(VIA))
            made.SetNet(self._net(full_name(via.net)))
            self.pcb.Add(made)
        return (
            f"{len(nets)} nets in {rounds} rounds, {len(tracks)} pieces, {len(vias)} vias, "
            f"{stitches} of them to stitch, {len(led)} pads of {GROUND} joined by tracks"
        )

    def _track(self, track: Track) -> None:
        made = pcbnew.PCB_TRACK(self.pcb)
        made.SetStart(at(*track.start))
        made.SetEnd(at(*track.end))
        made.SetWidth(nm(track.width))
        made.SetLayer([*LAYERS.values()][track.layer])
        made.SetNet(self._net(full_name(track.net)))
        self.pcb.Add(made)

    def _text(self, text: Text) -> None:
        made = pcbnew.PCB_TEXT(self.pcb)
        made.SetText(text.text)
        made.SetPosition(at(*text.at))
        made.SetTextSize(pcbnew.VECTOR2I(nm(text.size), nm(text.size)))
        made.SetTextThickness(nm(max(0.15, text.size * 0.15)))
        made.SetTextAngleDegrees(text.turn)
        made.SetHorizJustify(
            {
                "left": pcbnew.GR_TEXT_H_ALIGN_LEFT,
                "centre": pcbnew.GR_TEXT_H_ALIGN_CENTER,
                "right": pcbnew.GR_TEXT_H_ALIGN_RIGHT,
            }[text.align]
        )
        back = text.side == "bottom"
        made.SetLayer(pcbnew.B_SilkS if back else pcbnew.F_SilkS)
        made.SetMirrored(back)
        self.pcb.Add(made)
