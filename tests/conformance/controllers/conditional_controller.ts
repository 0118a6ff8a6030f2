import {
  GetMapping,
  PathVariable,
  PutMapping,
  RequestBody,
  RequestMapping,
  ResponseEntity,
  RestController,
} from "../../../mod.ts";
import { etag, IfMatch, IfNoneMatch, notModified } from "@irori/irori/conditional";
import { z } from "zod";

const note = z.object({ text: z.string() });

/** Resources whose current version is in their path; `none` has none. */
@RestController()
@RequestMapping("/conditional")
export class ConditionalController {
  @GetMapping({ path: "/{version}", returns: note }, PathVariable("version"), IfNoneMatch())
  get(version: string, ifNoneMatch: IfNoneMatch) {
    if (ifNoneMatch.matches(version)) {
      return notModified(version).withHeader("Cache-Control", "no-cache");
    }
    return ResponseEntity.ok().withHeader("ETag", etag(version)).withJson({ text: "a" });
  }

  @PutMapping("/{version}", PathVariable("version"), RequestBody(note), IfMatch())
  put(version: string, { text }: z.infer<typeof note>, ifMatch: IfMatch) {
    ifMatch.check(version === "none" ? undefined : version);
    return { text, versions: ifMatch.versions, isAny: ifMatch.isAny };
  }

  @PutMapping("/{version}/optional", PathVariable("version"), IfMatch({ required: false }))
  optional(version: string, ifMatch: IfMatch) {
    const current = version === "none" ? null : version;
    return { matches: ifMatch.matches(current), isAny: ifMatch.isAny };
  }

  @PutMapping("/{version}/created", PathVariable("version"), IfNoneMatch())
  async created(version: string, ifNoneMatch: IfNoneMatch) {
    await Promise.resolve();
    ifNoneMatch.check(version === "none" ? undefined : version);
    return { created: true };
  }
}
