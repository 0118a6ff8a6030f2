import {
  Autowired,
  GetMapping,
  type HttpRequest,
  HttpStatus,
  PathVariable,
  PostMapping,
  PutMapping,
  RequestBody,
  RequestHeader,
  RequestMapping,
  ResponseEntity,
  RestController,
  ServerSentEvent,
} from "irori";
import { etag, IfMatch, IfNoneMatch, notModified } from "irori/conditional";
import { Authenticated, RolesAllowed } from "irori/security";
import { ParcelNotFound } from "../problems.ts";
import { NewEvent, NewParcel, Parcel, ParcelEvent } from "./parcel.ts";
import { ParcelService } from "./parcel_service.ts";

@RestController()
@RequestMapping("/parcels")
@RolesAllowed("dispatcher")
export class ParcelController {
  @Autowired(ParcelService)
  private readonly parcels!: ParcelService;

  @PostMapping({ status: HttpStatus.CREATED, returns: Parcel }, RequestBody(NewParcel))
  async announce({ address }: NewParcel) {
    const parcel = await this.parcels.announce(address);
    return ResponseEntity.created(`/parcels/${parcel.id}`)
      .withHeader("ETag", etag(parcel.version)).withJson(parcel);
  }

  @GetMapping(
    { path: "/{id}", returns: Parcel, problems: [ParcelNotFound] },
    PathVariable("id", "int"),
    IfNoneMatch(),
  )
  @Authenticated()
  async get(id: number, ifNoneMatch: IfNoneMatch) {
    const parcel = await this.parcels.get(id);
    if (ifNoneMatch.matches(parcel.version)) return notModified(parcel.version);
    return ResponseEntity.ok().withHeader("ETag", etag(parcel.version)).withJson(parcel);
  }

  @PutMapping(
    { path: "/{id}", returns: Parcel, problems: [ParcelNotFound] },
    PathVariable("id", "int"),
    RequestBody(NewParcel),
    IfMatch(),
  )
  async redirect(id: number, { address }: NewParcel, ifMatch: IfMatch) {
    const parcel = await this.parcels.redirect(id, address, ifMatch);
    return ResponseEntity.ok().withHeader("ETag", etag(parcel.version)).withJson(parcel);
  }

  @PostMapping(
    {
      path: "/{id}/events",
      status: HttpStatus.CREATED,
      returns: ParcelEvent,
      problems: [ParcelNotFound],
    },
    PathVariable("id", "int"),
    RequestBody(NewEvent),
  )
  @RolesAllowed("courier")
  async record(id: number, { type }: NewEvent): Promise<ParcelEvent> {
    return await this.parcels.record(id, type);
  }

  @GetMapping(
    { path: "/{id}/events", produces: "text/event-stream", problems: [ParcelNotFound] },
    PathVariable("id", "int"),
    RequestHeader("Last-Event-ID", "int", { defaultValue: 0 }),
  )
  @Authenticated()
  async *follow(parcel: number, after: number, { signal }: HttpRequest) {
    for await (const { id, ...event } of this.parcels.follow(parcel, after, signal)) {
      yield new ServerSentEvent(event, { id: `${id}`, retry: 1000 });
    }
  }
}
