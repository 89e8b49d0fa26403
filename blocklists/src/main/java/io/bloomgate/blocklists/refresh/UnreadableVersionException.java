package io.bloomgate.blocklists.refresh;

import java.io.IOException;

/** A stored version cannot be read, or not as it was read when it was judged. */
final class UnreadableVersionException extends IOException {

  private static final long serialVersionUID = 1L;

  private final String feed;
  private final long version;

  UnreadableVersionException(String feed, long version, String why) {
    super("stored version " + version + " of feed " + feed + " is damaged: " + why);
    this.feed = feed;
    this.version = version;
  }

  String feed() {
    return feed;
  }

  long version() {
    return version;
  }
}
