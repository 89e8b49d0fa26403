package io.bloomgate.blocklists.refresh;

import io.bloomgate.blocklists.format.FeedContent;
import io.bloomgate.blocklists.format.FeedFormat;
import io.bloomgate.blocklists.generation.EntrySource;
import io.bloomgate.blocklists.guard.EntryGuard;
import io.bloomgate.blocklists.guard.EntryKeys;
import io.bloomgate.blocklists.guard.FeedDigest;
import io.bloomgate.blocklists.guard.GuardedText;
import io.bloomgate.blocklists.guard.ProtectedSet;
import io.bloomgate.config.name.Fingerprint;
import io.bloomgate.config.name.Parsed;
import io.bloomgate.config.settings.Action;
import io.bloomgate.config.settings.FeedUrl;
import io.bloomgate.config.settings.Location;
import io.bloomgate.config.settings.Settings.Feeds.Source;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Reads versions of one feed under its settings; pure but for the octets that it is given. Made for
 * each look; used on the feed-refresher thread, and by {@link KeptVersions}.
 */
record VersionReader(Source source, EntryGuard guard) {

  /**
   * A version and its octets.
   *
   * @param good entries that are held back, as they list good senders
   */
  record Stored(FeedVersion version, FeedContent content, EntryKeys good) {

    /** The same when these entries are held back. */
    Stored holding(EntryKeys entries) {
      return new Stored(version, content, entries);
    }
  }

  /**
   * @param noFeed what no feed may list
   */
  VersionReader(Source source, List<ProtectedSet> noFeed) {
    // A list of good senders lists protected ones with good reason.
    this(
        source,
        new EntryGuard(
            source.guard(),
            source.allowBogons(),
            source.action() == Action.TRUST ? List.of() : noFeed));
  }

  /** The guard of a new text in this format. */
  EntryGuard guard(FeedFormat format) {
    return guard.reading(format);
  }

  /** True when the settings would read these octets as that version was read. */
  boolean readsAlike(FeedContent content, FeedVersion version) throws IOException {
    return version.reading().isAlike(source, formatNow(content).name());
  }

  /** The format of the settings, or else the one that the content seems to have. */
  FeedFormat formatNow(FeedContent content) throws IOException {
    FeedFormat named = source.format().isEmpty() ? content.detect() : known(source.format());
    return named.forChecks(source.checks());
  }

  /** A version as it was judged, without what an operator accepted of it. */
  GuardedText text(Stored stored) throws UnreadableException {
    FeedVersion version = stored.version();
    FeedFormat format = formatOf(version);
    EntryGuard rules = guard.allowing(version.reading().allowBogons());
    return new GuardedText(
        stored.content(),
        format,
        version.reading().match(),
        rules.reading(format).holdingToo(stored.good()));
  }

  /** The same as if the operator had accepted its held entries. */
  GuardedText accepted(Stored stored) throws UnreadableException {
    GuardedText text = text(stored);
    return new GuardedText(
        text.content(), text.format(), text.match(), guard.reading(text.format()).accepted());
  }

  /** A version as it is when it is live. */
  GuardedText inForce(Stored stored) throws UnreadableException {
    return stored.version().entriesAccepted() ? accepted(stored) : text(stored);
  }

  /** Something that is not stored, as a new version would be. */
  GuardedText fresh(FeedContent content) throws IOException {
    FeedFormat format = formatNow(content);
    return new GuardedText(content, format, source.match(), guard(format));
  }

  /** The entries of a version, without what is held back of it. */
  FeedDigest digest(Stored stored) throws IOException {
    return text(stored).digested().digest();
  }

  /** The entries of a stored version that go live. */
  EntrySource entries(Stored stored) throws UnreadableException {
    GuardedText text = inForce(stored);
    return consumer -> {
      Optional<String> damage;
      try {
        damage = text.live(consumer::accept).damage();
      } catch (IOException e) {
        damage = Optional.of(String.valueOf(e.getMessage()));
      }
      if (damage.isPresent()) {
        throw new UnreadableException(source.name(), stored.version().id(), damage.get());
      }
    };
  }

  private FeedFormat formatOf(FeedVersion version) throws UnreadableException {
    try {
      return known(version.format());
    } catch (IOException e) {
      throw new UnreadableException(source.name(), version.id(), String.valueOf(e.getMessage()));
    }
  }

  /** Another format than the one that was named would read other entries. */
  private FeedFormat known(String name) throws IOException {
    return switch (FeedFormat.named(name)) {
      case Parsed.Ok<FeedFormat>(FeedFormat format, var ignored) -> format;
      case Parsed.Bad<FeedFormat>(String hint) ->
          throw new IOException("feed " + source.name() + " has an unknown format; " + hint);
    };
  }

  /** A digest that differs for each location, without showing what may be secret in it. */
  static String locationKey(Location location) {
    String text =
        switch (location) {
          case Location.Url url -> url.url().text();
          case Location.Rsync(FeedUrl url) -> url.text();
          case Location.Files(String pattern) -> pattern;
        };
    return Fingerprint.ofText(text).toString();
  }

  /** A stored version cannot be read, or not as it was read when it was judged. */
  static final class UnreadableException extends IOException {

    private static final long serialVersionUID = 1L;

    private final String feed;
    private final long version;

    UnreadableException(String feed, long version, String why) {
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
}
