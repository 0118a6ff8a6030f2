// Written by 'irori types'. Do not edit: run it again when the migrations change.
// deno-fmt-ignore-file

type Table<Row, New = object> = {
  [Name in keyof Row]: {
    readonly __select__: Row[Name];
    readonly __insert__: Name extends keyof New ? New[Name] : never;
    readonly __update__: Name extends keyof New ? Required<New>[Name] : never;
  };
};

export interface ArticleTags {
  article_id: string;
  position: number;
  tag: string;
}

export interface NewArticleTags {
  article_id: bigint | number | string;
  position: number;
  tag: string;
}

export type ArticleTagsUpdate = Partial<NewArticleTags>;

export interface Articles {
  id: string;
  slug: string;
  title: string;
  description: string;
  body: string;
  author_id: string;
  created_at: Date;
  updated_at: Date;
}

export interface NewArticles {
  slug: string;
  title: string;
  description: string;
  body: string;
  author_id: bigint | number | string;
  created_at?: Date | string;
  updated_at?: Date | string;
}

export type ArticlesUpdate = Partial<NewArticles>;

export interface Comments {
  id: number;
  article_id: string;
  author_id: string;
  body: string;
  created_at: Date;
  updated_at: Date;
}

export interface NewComments {
  article_id: bigint | number | string;
  author_id: bigint | number | string;
  body: string;
  created_at?: Date | string;
  updated_at?: Date | string;
}

export type CommentsUpdate = Partial<NewComments>;

export interface Favorites {
  user_id: string;
  article_id: string;
}

export interface NewFavorites {
  user_id: bigint | number | string;
  article_id: bigint | number | string;
}

export type FavoritesUpdate = Partial<NewFavorites>;

export interface Follows {
  follower_id: string;
  followed_id: string;
}

export interface NewFollows {
  follower_id: bigint | number | string;
  followed_id: bigint | number | string;
}

export type FollowsUpdate = Partial<NewFollows>;

export interface Users {
  id: string;
  username: string;
  email: string;
  password_hash: string;
  bio: string | null;
  image: string | null;
}

export interface NewUsers {
  username: string;
  email: string;
  password_hash: string;
  bio?: string | null;
  image?: string | null;
}

export type UsersUpdate = Partial<NewUsers>;

/** The tables and views as Kysely takes them: `new Kysely<Database>(…)`. */
export interface Database {
  article_tags: Table<ArticleTags, NewArticleTags>;
  articles: Table<Articles, NewArticles>;
  comments: Table<Comments, NewComments>;
  favorites: Table<Favorites, NewFavorites>;
  follows: Table<Follows, NewFollows>;
  users: Table<Users, NewUsers>;
}
