import {
  Autowired,
  GetMapping,
  HttpStatus,
  PathVariable,
  PutMapping,
  RequestBody,
  RestController,
} from "irori";
import { fileResponse } from "irori/files";
import { RolesAllowed } from "irori/security";
import { NoteNotFound, ParcelNotFound } from "../problems.ts";
import { NoteService } from "./note_service.ts";
import * as z from "zod";

const MEGABYTE = 2 ** 20;

/** Delivery notes: a PDF for each parcel. */
@RestController()
export class NoteController {
  @Autowired(NoteService)
  private readonly notes!: NoteService;

  @PutMapping(
    {
      path: "/parcels/{id}/note",
      status: HttpStatus.NO_CONTENT,
      consumes: "application/pdf",
      maxBodySize: 20 * MEGABYTE,
      returns: z.void(),
      problems: [ParcelNotFound],
    },
    PathVariable("id", "int"),
    RequestBody("stream"),
  )
  @RolesAllowed("courier")
  async upload(id: number, content: ReadableStream<Uint8Array>): Promise<void> {
    await this.notes.replace(id, content);
  }

  @GetMapping(
    { path: "/parcels/{id}/note", produces: "application/pdf", problems: [NoteNotFound] },
    PathVariable("id", "int"),
  )
  async download(id: number) {
    const file = await this.notes.find(id);
    if (file === undefined) throw new NoteNotFound();
    // Each upload has another file name, which is therefore a version, too.
    return fileResponse(file, { root: this.notes.folder, name: `parcel-${id}.pdf`, etag: file });
  }
}
