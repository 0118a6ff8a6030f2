import {
  Autowired,
  DeleteMapping,
  GetMapping,
  HttpStatus,
  PathVariable,
  PostMapping,
  RestController,
} from "irori";
import { PermitAll } from "irori/security";
import { text } from "../texts.ts";
import { type Caller, caller, viewer } from "../users/caller.ts";
import { Profile } from "./profile.ts";
import { ProfileService } from "./profile_service.ts";
import * as z from "zod";

const PROFILE = {
  returns: z.object({ profile: Profile }),
  problems: [HttpStatus.NOT_FOUND],
};
const username = PathVariable("username", text(50));

@RestController()
export class ProfileController {
  @Autowired(ProfileService)
  private readonly profiles!: ProfileService;

  @GetMapping({ path: "/profiles/{username}", ...PROFILE }, username, viewer)
  @PermitAll()
  async get(username: string, viewer?: Caller) {
    return { profile: await this.profiles.get(username, viewer?.id) };
  }

  @PostMapping({ path: "/profiles/{username}/follow", ...PROFILE }, username, caller)
  async follow(username: string, { id }: Caller) {
    return { profile: await this.profiles.follow(username, id) };
  }

  @DeleteMapping({ path: "/profiles/{username}/follow", ...PROFILE }, username, caller)
  async unfollow(username: string, { id }: Caller) {
    return { profile: await this.profiles.unfollow(username, id) };
  }
}
