import type { Principal } from "irori/security";
import { owns } from "../roles.ts";
import type { IssueService } from "./issue_service.ts";

/** Lets pass the author of an issue, and admins: `@PreAuthorize(ownIssue)`. */
export async function ownIssue(
  this: { readonly issues: IssueService },
  user: Principal,
  id: number,
): Promise<boolean> {
  return owns(user, await this.issues.get(id));
}
