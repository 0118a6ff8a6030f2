import {
  Autowired,
  DeleteMapping,
  GetMapping,
  HttpStatus,
  PathVariable,
  PostMapping,
  RestController,
} from "irori";
import { CurrentUser, PermitAll } from "irori/security";
import { text } from "../texts.ts";
import type { CurrentUserId } from "../users/tokens.ts";
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

  @GetMapping(
    { path: "/profiles/{username}", ...PROFILE },
    username,
    CurrentUser<CurrentUserId>({ required: false }),
  )
  @PermitAll()
  async get(username: string, viewer?: CurrentUserId) {
    return { profile: await this.profiles.get(username, viewer?.id) };
  }

  @PostMapping(
    { path: "/profiles/{username}/follow", ...PROFILE },
    username,
    CurrentUser<CurrentUserId>(),
  )
  async follow(username: string, { id }: CurrentUserId) {
    return { profile: await this.profiles.follow(username, id) };
  }

  @DeleteMapping(
    { path: "/profiles/{username}/follow", ...PROFILE },
    username,
    CurrentUser<CurrentUserId>(),
  )
  async unfollow(username: string, { id }: CurrentUserId) {
    return { profile: await this.profiles.unfollow(username, id) };
  }
}
