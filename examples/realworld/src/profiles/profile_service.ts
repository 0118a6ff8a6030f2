import { Autowired, Service } from "irori";
import { Transactional } from "irori/transactions";
import { notFound } from "../errors/api_error.ts";
import type { Profile } from "./profile.ts";
import { ProfileRepository } from "./profile_repository.ts";

/** All methods: @throws {ApiError} 404 */
@Service()
export class ProfileService {
  @Autowired(ProfileRepository)
  private readonly profiles!: ProfileRepository;

  async get(username: string, viewer?: string): Promise<Profile> {
    const profile = await this.profiles.find(username, viewer);
    if (!profile) throw notFound("profile");
    return profile;
  }

  @Transactional()
  async follow(username: string, follower: string): Promise<Profile> {
    await this.profiles.follow(follower, username);
    return await this.get(username, follower);
  }

  @Transactional()
  async unfollow(username: string, follower: string): Promise<Profile> {
    await this.profiles.unfollow(follower, username);
    return await this.get(username, follower);
  }
}
