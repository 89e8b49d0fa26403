package io.bloomgate.config.settings;

import io.bloomgate.config.notation.Shown;
import java.util.List;

/** The place from which a feed comes; part of {@link Settings.Feeds.Source}. Immutable. */
public sealed interface Location {
  /** The location for people: without credentials and query, in printable ASCII. */
  String shown();

  /** Every address at a publisher's server that a fetch may ask. */
  default List<FeedUrl> addresses() {
    return switch (this) {
      case Url web -> web.fetching.addresses(web.url);
      case Rsync rsync -> List.of(rsync.url);
      case Files ignored -> List.of();
    };
  }

  /** Fetched over HTTP or HTTPS. */
  record Url(FeedUrl url, Fetching fetching) implements Location {
    @Override
    public String shown() {
      return url.shown();
    }
  }

  /** Fetched by the rsync program. */
  record Rsync(FeedUrl url) implements Location {
    @Override
    public String shown() {
      return url.shown();
    }
  }

  /**
   * A feed that is read from a path or a glob pattern; several files are read in name order as one
   * list.
   */
  record Files(String pattern) implements Location {
    @Override
    public String shown() {
      return Shown.bare(pattern);
    }
  }
}
