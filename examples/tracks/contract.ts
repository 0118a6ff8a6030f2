// Written by 'irori contract'.
// deno-fmt-ignore-file
const operations = {
  "AttachmentController": {
    "download": {
      "method": "GET",
      "path": "/attachments/{id}",
      "parameters": [
        {
          "in": "path",
          "name": "id"
        }
      ],
      "problems": [
        {
          "status": 404,
          "type": "/problems/attachment-not-found"
        }
      ]
    },
    "list": {
      "method": "GET",
      "path": "/issues/{id}/attachments",
      "parameters": [
        {
          "in": "path",
          "name": "id"
        }
      ],
      "problems": [
        {
          "status": 404,
          "type": "/problems/issue-not-found"
        }
      ]
    },
    "upload": {
      "method": "POST",
      "path": "/issues/{id}/attachments",
      "parameters": [
        {
          "in": "path",
          "name": "id"
        },
        {
          "in": "multipart",
          "as": "body"
        },
        {
          "in": "custom"
        }
      ],
      "problems": [
        {
          "status": 404,
          "type": "/problems/issue-not-found"
        }
      ]
    }
  },
  "CommentController": {
    "delete": {
      "method": "DELETE",
      "path": "/comments/{id}",
      "parameters": [
        {
          "in": "path",
          "name": "id"
        }
      ],
      "problems": [
        {
          "status": 404,
          "type": "/problems/comment-not-found"
        }
      ]
    },
    "list": {
      "method": "GET",
      "path": "/issues/{id}/comments",
      "parameters": [
        {
          "in": "path",
          "name": "id"
        },
        {
          "in": "query",
          "names": [
            "page",
            "size"
          ]
        }
      ],
      "problems": [
        {
          "status": 404,
          "type": "/problems/issue-not-found"
        }
      ]
    },
    "add": {
      "method": "POST",
      "path": "/issues/{id}/comments",
      "parameters": [
        {
          "in": "path",
          "name": "id"
        },
        {
          "in": "body",
          "as": "body"
        },
        {
          "in": "custom"
        }
      ],
      "problems": [
        {
          "status": 404,
          "type": "/problems/issue-not-found"
        },
        {
          "status": 409,
          "type": "/problems/issue-closed"
        }
      ]
    }
  },
  "ActivityController": {
    "events": {
      "method": "GET",
      "path": "/events",
      "parameters": [],
      "events": true
    }
  },
  "IssueController": {
    "delete": {
      "method": "DELETE",
      "path": "/issues/{id}",
      "parameters": [
        {
          "in": "path",
          "name": "id"
        }
      ],
      "problems": [
        {
          "status": 404,
          "type": "/problems/issue-not-found"
        }
      ]
    },
    "get": {
      "method": "GET",
      "path": "/issues/{id}",
      "parameters": [
        {
          "in": "path",
          "name": "id"
        }
      ],
      "problems": [
        {
          "status": 404,
          "type": "/problems/issue-not-found"
        }
      ]
    },
    "change": {
      "method": "PUT",
      "path": "/issues/{id}",
      "parameters": [
        {
          "in": "path",
          "name": "id"
        },
        {
          "in": "body",
          "as": "body"
        },
        {
          "in": "custom"
        }
      ],
      "problems": [
        {
          "status": 404,
          "type": "/problems/issue-not-found"
        }
      ]
    },
    "list": {
      "method": "GET",
      "path": "/projects/{key}/issues",
      "parameters": [
        {
          "in": "path",
          "name": "key"
        },
        {
          "in": "query",
          "name": "status"
        },
        {
          "in": "query",
          "names": [
            "page",
            "size",
            "sort"
          ]
        }
      ],
      "problems": [
        {
          "status": 404,
          "type": "/problems/project-not-found"
        }
      ]
    },
    "create": {
      "method": "POST",
      "path": "/projects/{key}/issues",
      "parameters": [
        {
          "in": "path",
          "name": "key"
        },
        {
          "in": "body",
          "as": "body"
        },
        {
          "in": "custom"
        }
      ],
      "problems": [
        {
          "status": 404,
          "type": "/problems/project-not-found"
        }
      ]
    }
  },
  "ProjectController": {
    "list": {
      "method": "GET",
      "path": "/projects",
      "parameters": [
        {
          "in": "query",
          "names": [
            "page",
            "size",
            "sort"
          ]
        }
      ]
    },
    "create": {
      "method": "POST",
      "path": "/projects",
      "parameters": [
        {
          "in": "body",
          "as": "body"
        }
      ],
      "problems": [
        {
          "status": 409,
          "type": "/problems/project-exists"
        }
      ]
    },
    "delete": {
      "method": "DELETE",
      "path": "/projects/{key}",
      "parameters": [
        {
          "in": "path",
          "name": "key"
        }
      ],
      "problems": [
        {
          "status": 404,
          "type": "/problems/project-not-found"
        }
      ]
    },
    "get": {
      "method": "GET",
      "path": "/projects/{key}",
      "parameters": [
        {
          "in": "path",
          "name": "key"
        }
      ],
      "problems": [
        {
          "status": 404,
          "type": "/problems/project-not-found"
        }
      ]
    },
    "statistics": {
      "method": "GET",
      "path": "/projects/{key}/statistics",
      "parameters": [
        {
          "in": "path",
          "name": "key"
        }
      ],
      "problems": [
        {
          "status": 404,
          "type": "/problems/project-not-found"
        }
      ]
    }
  },
  "ExportController": {
    "issuesAsCsv": {
      "method": "GET",
      "path": "/projects/{key}/issues.csv",
      "parameters": [
        {
          "in": "path",
          "name": "key"
        }
      ],
      "problems": [
        {
          "status": 404,
          "type": "/problems/project-not-found"
        }
      ]
    }
  }
} as const;

export type FilePart = Blob | ReadableStream<Uint8Array> | { readonly name: string; readonly type?: string; stream(): ReadableStream<Uint8Array> };

export type Attachment = { id: string; issue: number; name: string; size: number; author: string };

export type AttachmentNotFound = { type: "/problems/attachment-not-found"; title: string; status: 404; detail?: string; instance?: string };

export type Comment = { id: number; issue: number; author: string; text: string; createdAt: string };

export type CommentNotFound = { type: "/problems/comment-not-found"; title: string; status: 404; detail?: string; instance?: string };

export type CommentSlice = { content: Comment[]; page: SliceMetadata };

export type Issue = { id: number; project: string; number: number; title: string; description: string; status: "open" | "closed"; author: string; createdAt: string };

export type IssueChange = { title: string; description: string; status: "open" | "closed" };

export type IssueClosed = { type: "/problems/issue-closed"; title: string; status: 409; detail?: string; instance?: string };

export type IssueNotFound = { type: "/problems/issue-not-found"; title: string; status: 404; detail?: string; instance?: string };

export type IssuePage = { content: Issue[]; page: PageMetadata };

export type NewComment = { text: string };

export type NewIssue = { title: string; description?: string };

export type NewProject = { key: string; name: string };

export type PageMetadata = { size: number; number: number; totalElements: number; totalPages: number };

export type Project = { key: string; name: string; createdAt: string };

export type ProjectExists = { key: string; type: "/problems/project-exists"; title: string; status: 409; detail?: string; instance?: string };

export type ProjectNotFound = { type: "/problems/project-not-found"; title: string; status: 404; detail?: string; instance?: string };

export type ProjectPage = { content: Project[]; page: PageMetadata };

export type ProjectStatistics = { open: number; closed: number };

export type SliceMetadata = { size: number; number: number; hasNext: boolean };

/** The types of what is sent, for the compiler only. */
export type ContractTypes = {
  readonly AttachmentController: {
    readonly download: { readonly "~types"?: { arguments: { id: string }; result: Response; problem: AttachmentNotFound } };
    readonly list: { readonly "~types"?: { arguments: { id: number }; result: Attachment[]; problem: IssueNotFound } };
    readonly upload: { readonly "~types"?: { arguments: { id: number; body: FormData | { readonly [name: string]: string | FilePart | readonly (string | FilePart)[] } }; result: Attachment[]; problem: IssueNotFound } };
  };
  readonly CommentController: {
    readonly delete: { readonly "~types"?: { arguments: { id: number }; result: undefined; problem: CommentNotFound } };
    readonly list: { readonly "~types"?: { arguments: { id: number; page?: number; size?: number }; result: CommentSlice; problem: IssueNotFound } };
    readonly add: { readonly "~types"?: { arguments: { id: number; body: NewComment }; result: Comment; problem: IssueNotFound | IssueClosed } };
  };
  readonly ActivityController: {
    readonly events: { readonly "~types"?: { arguments: Record<string, never>; result: Response; problem: never } };
  };
  readonly IssueController: {
    readonly delete: { readonly "~types"?: { arguments: { id: number }; result: undefined; problem: IssueNotFound } };
    readonly get: { readonly "~types"?: { arguments: { id: number }; result: Issue; problem: IssueNotFound } };
    readonly change: { readonly "~types"?: { arguments: { id: number; body: IssueChange }; result: Issue; problem: IssueNotFound } };
    readonly list: { readonly "~types"?: { arguments: { key: string; status?: "open" | "closed"; page?: number; size?: number; sort?: readonly ("number" | "number,asc" | "number,desc" | "title" | "title,asc" | "title,desc" | "createdAt" | "createdAt,asc" | "createdAt,desc")[] }; result: IssuePage; problem: ProjectNotFound } };
    readonly create: { readonly "~types"?: { arguments: { key: string; body: NewIssue }; result: Issue; problem: ProjectNotFound } };
  };
  readonly ProjectController: {
    readonly list: { readonly "~types"?: { arguments: { page?: number; size?: number; sort?: readonly ("key" | "key,asc" | "key,desc" | "name" | "name,asc" | "name,desc" | "createdAt" | "createdAt,asc" | "createdAt,desc")[] }; result: ProjectPage; problem: never } };
    readonly create: { readonly "~types"?: { arguments: { body: NewProject }; result: Project; problem: ProjectExists } };
    readonly delete: { readonly "~types"?: { arguments: { key: string }; result: undefined; problem: ProjectNotFound } };
    readonly get: { readonly "~types"?: { arguments: { key: string }; result: Project; problem: ProjectNotFound } };
    readonly statistics: { readonly "~types"?: { arguments: { key: string }; result: ProjectStatistics; problem: ProjectNotFound } };
  };
  readonly ExportController: {
    readonly issuesAsCsv: { readonly "~types"?: { arguments: { key: string }; result: string; problem: ProjectNotFound } };
  };
};

export const contract = operations as typeof operations & ContractTypes;
