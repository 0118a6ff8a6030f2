// Written by 'irori contract'.
// deno-fmt-ignore-file
const operations = {
  "ArticleController": {
    "list": {
      "method": "GET",
      "path": "/api/articles",
      "parameters": [
        {
          "in": "query",
          "names": [
            "tag",
            "author",
            "favorited",
            "limit",
            "offset"
          ]
        },
        {
          "in": "custom"
        }
      ],
      "problems": [
        {
          "status": 422
        }
      ]
    },
    "create": {
      "method": "POST",
      "path": "/api/articles",
      "parameters": [
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
          "status": 422
        }
      ]
    },
    "feed": {
      "method": "GET",
      "path": "/api/articles/feed",
      "parameters": [
        {
          "in": "query",
          "names": [
            "limit",
            "offset"
          ]
        },
        {
          "in": "custom"
        }
      ],
      "problems": [
        {
          "status": 422
        }
      ]
    },
    "delete": {
      "method": "DELETE",
      "path": "/api/articles/{slug}",
      "parameters": [
        {
          "in": "path",
          "name": "slug"
        },
        {
          "in": "custom"
        }
      ],
      "problems": [
        {
          "status": 403
        },
        {
          "status": 404
        },
        {
          "status": 422
        }
      ]
    },
    "get": {
      "method": "GET",
      "path": "/api/articles/{slug}",
      "parameters": [
        {
          "in": "path",
          "name": "slug"
        },
        {
          "in": "custom"
        }
      ],
      "problems": [
        {
          "status": 404
        },
        {
          "status": 422
        }
      ]
    },
    "change": {
      "method": "PUT",
      "path": "/api/articles/{slug}",
      "parameters": [
        {
          "in": "path",
          "name": "slug"
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
          "status": 403
        },
        {
          "status": 404
        },
        {
          "status": 422
        }
      ]
    }
  },
  "CommentController": {
    "list": {
      "method": "GET",
      "path": "/api/articles/{slug}/comments",
      "parameters": [
        {
          "in": "path",
          "name": "slug"
        },
        {
          "in": "custom"
        }
      ],
      "problems": [
        {
          "status": 404
        },
        {
          "status": 422
        }
      ]
    },
    "add": {
      "method": "POST",
      "path": "/api/articles/{slug}/comments",
      "parameters": [
        {
          "in": "path",
          "name": "slug"
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
          "status": 404
        },
        {
          "status": 422
        }
      ]
    },
    "delete": {
      "method": "DELETE",
      "path": "/api/articles/{slug}/comments/{id}",
      "parameters": [
        {
          "in": "path",
          "name": "slug"
        },
        {
          "in": "path",
          "name": "id"
        },
        {
          "in": "custom"
        }
      ],
      "problems": [
        {
          "status": 403
        },
        {
          "status": 404
        },
        {
          "status": 422
        }
      ]
    }
  },
  "FavoriteController": {
    "remove": {
      "method": "DELETE",
      "path": "/api/articles/{slug}/favorite",
      "parameters": [
        {
          "in": "path",
          "name": "slug"
        },
        {
          "in": "custom"
        }
      ],
      "problems": [
        {
          "status": 404
        },
        {
          "status": 422
        }
      ]
    },
    "add": {
      "method": "POST",
      "path": "/api/articles/{slug}/favorite",
      "parameters": [
        {
          "in": "path",
          "name": "slug"
        },
        {
          "in": "custom"
        }
      ],
      "problems": [
        {
          "status": 404
        },
        {
          "status": 422
        }
      ]
    }
  },
  "ProfileController": {
    "get": {
      "method": "GET",
      "path": "/api/profiles/{username}",
      "parameters": [
        {
          "in": "path",
          "name": "username"
        },
        {
          "in": "custom"
        }
      ],
      "problems": [
        {
          "status": 404
        },
        {
          "status": 422
        }
      ]
    },
    "unfollow": {
      "method": "DELETE",
      "path": "/api/profiles/{username}/follow",
      "parameters": [
        {
          "in": "path",
          "name": "username"
        },
        {
          "in": "custom"
        }
      ],
      "problems": [
        {
          "status": 404
        },
        {
          "status": 422
        }
      ]
    },
    "follow": {
      "method": "POST",
      "path": "/api/profiles/{username}/follow",
      "parameters": [
        {
          "in": "path",
          "name": "username"
        },
        {
          "in": "custom"
        }
      ],
      "problems": [
        {
          "status": 404
        },
        {
          "status": 422
        }
      ]
    }
  },
  "TagController": {
    "list": {
      "method": "GET",
      "path": "/api/tags",
      "parameters": []
    }
  },
  "UserController": {
    "get": {
      "method": "GET",
      "path": "/api/user",
      "parameters": [
        {
          "in": "custom"
        }
      ]
    },
    "change": {
      "method": "PUT",
      "path": "/api/user",
      "parameters": [
        {
          "in": "custom"
        },
        {
          "in": "body",
          "as": "body"
        }
      ],
      "problems": [
        {
          "status": 409
        },
        {
          "status": 422
        }
      ]
    },
    "register": {
      "method": "POST",
      "path": "/api/users",
      "parameters": [
        {
          "in": "body",
          "as": "body"
        }
      ],
      "problems": [
        {
          "status": 409
        },
        {
          "status": 422
        }
      ]
    },
    "login": {
      "method": "POST",
      "path": "/api/users/login",
      "parameters": [
        {
          "in": "body",
          "as": "body"
        }
      ],
      "problems": [
        {
          "status": 401
        },
        {
          "status": 422
        }
      ]
    }
  }
} as const;

export type Article = { slug: string; title: string; description: string; tagList: string[]; createdAt: string; updatedAt: string; favorited: boolean; favoritesCount: number; author: Profile; body: string };

export type ArticleChange = { title?: string; description?: string; body?: string; tagList?: string[] };

export type ArticleList = { articles: ArticleSummary[]; articlesCount: number };

export type ArticleSummary = { slug: string; title: string; description: string; tagList: string[]; createdAt: string; updatedAt: string; favorited: boolean; favoritesCount: number; author: Profile };

export type Comment = { id: number; createdAt: string; updatedAt: string; body: string; author: Profile };

export type Errors = { errors: { [key: string]: string[] } };

export type Login = { email: string; password: string };

export type NewArticle = { title: string; description: string; body: string; tagList?: string[] };

export type NewComment = { body: string };

export type NewUser = { username: string; email: unknown & unknown; password: string };

export type Profile = { username: string; bio: string | null; image: string | null; following: boolean };

export type User = { email: string; token: string; username: string; bio: string | null; image: string | null };

export type UserChange = { username?: string; email?: unknown & unknown; password?: string; bio?: string | null; image?: string | null };

/** The types of what is sent, for the compiler only. */
export type ContractTypes = {
  readonly ArticleController: {
    readonly list: { readonly "~types"?: { arguments: { tag?: string; author?: string; favorited?: string; limit?: number; offset?: number }; result: ArticleList; problem: Errors } };
    readonly create: { readonly "~types"?: { arguments: { body: { article: NewArticle } }; result: { article: Article }; problem: Errors } };
    readonly feed: { readonly "~types"?: { arguments: { limit?: number; offset?: number }; result: ArticleList; problem: Errors } };
    readonly delete: { readonly "~types"?: { arguments: { slug: string }; result: undefined; problem: Errors } };
    readonly get: { readonly "~types"?: { arguments: { slug: string }; result: { article: Article }; problem: Errors } };
    readonly change: { readonly "~types"?: { arguments: { slug: string; body: { article: ArticleChange } }; result: { article: Article }; problem: Errors } };
  };
  readonly CommentController: {
    readonly list: { readonly "~types"?: { arguments: { slug: string }; result: { comments: Comment[] }; problem: Errors } };
    readonly add: { readonly "~types"?: { arguments: { slug: string; body: { comment: NewComment } }; result: { comment: Comment }; problem: Errors } };
    readonly delete: { readonly "~types"?: { arguments: { slug: string; id: number }; result: undefined; problem: Errors } };
  };
  readonly FavoriteController: {
    readonly remove: { readonly "~types"?: { arguments: { slug: string }; result: { article: Article }; problem: Errors } };
    readonly add: { readonly "~types"?: { arguments: { slug: string }; result: { article: Article }; problem: Errors } };
  };
  readonly ProfileController: {
    readonly get: { readonly "~types"?: { arguments: { username: string }; result: { profile: Profile }; problem: Errors } };
    readonly unfollow: { readonly "~types"?: { arguments: { username: string }; result: { profile: Profile }; problem: Errors } };
    readonly follow: { readonly "~types"?: { arguments: { username: string }; result: { profile: Profile }; problem: Errors } };
  };
  readonly TagController: {
    readonly list: { readonly "~types"?: { arguments: Record<string, never>; result: { tags: string[] }; problem: never } };
  };
  readonly UserController: {
    readonly get: { readonly "~types"?: { arguments: Record<string, never>; result: { user: User }; problem: never } };
    readonly change: { readonly "~types"?: { arguments: { body: { user: UserChange } }; result: { user: User }; problem: Errors } };
    readonly register: { readonly "~types"?: { arguments: { body: { user: NewUser } }; result: { user: User }; problem: Errors } };
    readonly login: { readonly "~types"?: { arguments: { body: { user: Login } }; result: { user: User }; problem: Errors } };
  };
};

export const contract = operations as typeof operations & ContractTypes;
