package io.bloomgate.blocklists.url;

/** How a URL was written; what is not {@link #WHOLE} never refuses a mail. Any thread. */
public enum Form {
  /** With its scheme, or as an attribute that is followed. */
  WHOLE,

  /** A bare name such as {@code www.example.com/a}: people write it for the site itself. */
  SCHEMELESS,

  /** Written so that nobody follows it by accident ({@code hxxp}, {@code [.]}), as reports do. */
  DEFANGED,

  /** In the query of a URL that does not lead there: a search, a link to share. */
  NESTED
}
