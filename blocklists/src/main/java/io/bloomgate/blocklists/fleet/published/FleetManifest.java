package io.bloomgate.blocklists.fleet.published;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.fetch.FetchResult.Acceptance;
import io.bloomgate.blocklists.format.octets.FeedLimits;
import io.bloomgate.config.json.Json;
import io.bloomgate.config.json.JsonSyntaxException;
import io.bloomgate.config.json.JsonValue;
import io.bloomgate.config.json.JsonValue.JsonArray;
import io.bloomgate.config.json.JsonValue.JsonNumber;
import io.bloomgate.config.json.JsonValue.JsonObject;
import java.io.IOException;
import java.io.Serial;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code manifest.json}: what the leader of a fleet has live. Written by {@link Publisher}, read by
 * {@link Follower} once its signature is right. Immutable.
 *
 * @param rank above that of every manifest before, so that nobody can present an old one
 * @param time of the leader's clock, for people
 * @param node name of the leader
 * @param every how often the leader writes one at least
 */
record FleetManifest(Rank rank, Instant time, String node, Duration every, List<Feed> feeds) {

  static final String NAME = "manifest.json";
  static final String SIGNATURE = "manifest.sig";

  /** Grows when an older release could not read what is written. */
  private static final long FORMAT = 1;

  private static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");
  private static final Pattern WORD = Pattern.compile("[!-~]{1,128}");

  FleetManifest {
    feeds = List.copyOf(feeds);
  }

  /**
   * The order of manifests.
   *
   * @param term number of the leader's lease, 0 for a leader that the settings name
   * @param counter rises with every manifest of a leader
   */
  record Rank(long term, long counter) {
    static final Rank NONE = new Rank(0, 0);

    /**
     * Numbers begin at the seconds since 1970 and rise by one: above this they are damage, and who
     * took one would refuse every manifest that comes later.
     */
    private static final long MOST = 1_000_000_000_000L;

    boolean isPossible() {
      return term <= MOST && counter <= MOST;
    }

    /** The leader with the later lease counts, whatever its counter is. */
    boolean isAbove(Rank other) {
      return isOfLaterLease(other) || (!other.isOfLaterLease(this) && counter > other.counter);
    }

    boolean isOfLaterLease(Rank other) {
      return term > 0 && other.term > 0 && term > other.term;
    }

    /** This one was seen last; the later lease stays known when the settings name a leader. */
    Rank after(Rank before) {
      return term == 0 ? new Rank(before.term, counter) : this;
    }
  }

  /**
   * The live version of a feed.
   *
   * @param sha256 of the text, all parts one after the other
   * @param parts octets of each file of the text, which a reader must not join
   * @param packed octets of the deflated text
   * @param entries for people
   * @param fetched when the leader fetched it
   * @param checked when the leader last found that the feed has this version
   * @param accepted who let the version through on the leader; {@code null} where its guard did
   * @param deltas that lead one after the other to this version, the last one to it
   */
  record Feed(
      String name,
      String sha256,
      List<Long> parts,
      long packed,
      long entries,
      Instant fetched,
      Instant checked,
      @Nullable Acceptance accepted,
      List<Delta> deltas) {

    Feed {
      parts = List.copyOf(parts);
      deltas = List.copyOf(deltas);
    }

    /** Octets of the text. */
    long octets() {
      return parts.stream().mapToLong(Long::longValue).sum();
    }

    /** Path of the deflated text. */
    String blob() {
      return blob(sha256);
    }

    static String blob(String sha256) {
      return "blobs/" + sha256;
    }

    /** Changes when a follower has something to do; holds nothing else. */
    String mark() {
      return "fleet "
          + sha256
          + (accepted == null ? "" : " accepted " + accepted.at() + " " + accepted.entries());
    }

    /** The deltas that lead from a text to this version; empty when none do. */
    List<Delta> from(String text) {
      for (int i = deltas.size() - 1; i >= 0; i--) {
        if (deltas.get(i).from().equals(text)) {
          return deltas.subList(i, deltas.size());
        }
      }
      return List.of();
    }
  }

  /**
   * How one text becomes another.
   *
   * @param from SHA-256 of the old text
   * @param to SHA-256 of the new one
   * @param octets of the new one
   * @param packed octets of the deflated delta
   */
  record Delta(String from, String to, long octets, long packed) {
    /** Its path. */
    String path() {
      return "deltas/" + from + "-" + to;
    }
  }

  /** A manifest is not what this release can use; the message says why. */
  static final class UnusableException extends IOException {
    @Serial private static final long serialVersionUID = 1L;

    UnusableException(String why) {
      super(why);
    }
  }

  Optional<Feed> feed(String name) {
    return feeds.stream().filter(feed -> feed.name().equals(name)).findFirst();
  }

  /** What followers have to do something about, by feed. */
  Map<String, String> marks() {
    Map<String, String> marks = new LinkedHashMap<>();
    feeds.forEach(feed -> marks.put(feed.name(), feed.mark()));
    return marks;
  }

  /** The octets that are signed. */
  byte[] octets() {
    List<JsonValue> all = new ArrayList<>();
    feeds.forEach(feed -> all.add(json(feed)));
    JsonObject json =
        JsonValue.object()
            .put("format", FORMAT)
            .put("term", rank.term())
            .put("counter", rank.counter())
            .put("time", time.toString())
            .put("node", node)
            .put("every_s", every.toSeconds())
            .put("feeds", new JsonArray(all))
            .build();
    return (Json.write(json) + "\n").getBytes(UTF_8);
  }

  private static JsonObject json(Feed feed) {
    List<JsonValue> deltas = new ArrayList<>();
    for (Delta delta : feed.deltas()) {
      deltas.add(
          JsonValue.object()
              .put("from", delta.from())
              .put("to", delta.to())
              .put("octets", delta.octets())
              .put("packed", delta.packed())
              .build());
    }
    List<JsonValue> parts = new ArrayList<>();
    feed.parts().forEach(part -> parts.add(new JsonNumber(Long.toString(part))));
    JsonValue.ObjectBuilder json =
        JsonValue.object()
            .put("name", feed.name())
            .put("sha256", feed.sha256())
            .put("parts", new JsonArray(parts))
            .put("packed", feed.packed())
            .put("entries", feed.entries())
            .put("fetched", feed.fetched().toString())
            .put("checked", feed.checked().toString());
    Acceptance accepted = feed.accepted();
    if (accepted != null) {
      json.put("accepted_by", accepted.by())
          .put("accepted_at", accepted.at().toString())
          .put("accepted_entries", accepted.entries());
    }
    return json.put("deltas", new JsonArray(deltas)).build();
  }

  /**
   * Reads what {@link #octets} gave.
   *
   * @throws UnusableException when it is something else, or beyond {@link FleetLimits}
   */
  static FleetManifest read(byte[] octets) throws UnusableException {
    try {
      String text = UTF_8.newDecoder().decode(ByteBuffer.wrap(octets)).toString();
      if (!(Json.parse(text) instanceof JsonObject json)) {
        throw new UnusableException("the manifest is no object");
      }
      long format = number(json, "format");
      if (format != FORMAT) {
        throw new UnusableException(
            "the manifest has format %d, and this release reads format %d; update this gateway"
                .formatted(format, FORMAT));
      }
      List<JsonValue> all = json.elements("feeds");
      if (all.size() > FleetLimits.FEEDS) {
        throw new UnusableException("the manifest has more than " + FleetLimits.FEEDS + " feeds");
      }
      List<Feed> feeds = new ArrayList<>();
      Set<String> names = new HashSet<>();
      for (JsonValue one : all) {
        Feed feed = feed(one);
        if (!names.add(feed.name())) {
          throw new UnusableException("the manifest names a feed twice");
        }
        feeds.add(feed);
      }
      Rank rank =
          new Rank(json.get("term").isEmpty() ? 0 : number(json, "term"), number(json, "counter"));
      if (!rank.isPossible()) {
        throw new UnusableException("the manifest has an impossible number");
      }
      return new FleetManifest(
          rank,
          instant(json, "time"),
          matching(json, "node", WORD),
          Duration.ofSeconds(Math.clamp(number(json, "every_s"), 1, 86_400)),
          feeds);
    } catch (JsonSyntaxException | CharacterCodingException e) {
      throw new UnusableException("the manifest is no JSON: " + e.getMessage());
    }
  }

  private static Feed feed(JsonValue value) throws UnusableException {
    JsonObject json = object(value);
    List<Long> parts = new ArrayList<>();
    long octets = 0;
    for (JsonValue part : json.elements("parts")) {
      parts.add(within(part instanceof JsonNumber(String n) ? n : "", FleetLimits.TEXT_OCTETS));
      octets += parts.getLast();
    }
    if (parts.isEmpty()
        || parts.size() > FeedLimits.FILES_PER_SOURCE
        || octets > FleetLimits.TEXT_OCTETS) {
      throw new UnusableException("the manifest has a feed of an impossible size");
    }
    return new Feed(
        matching(json, "name", WORD),
        matching(json, "sha256", SHA256),
        parts,
        within(json, "packed", FleetLimits.PACKED_OCTETS),
        number(json, "entries"),
        instant(json, "fetched"),
        instant(json, "checked"),
        json.text("accepted_at").isEmpty()
            ? null
            : new Acceptance(
                matching(json, "accepted_by", WORD),
                instant(json, "accepted_at"),
                json.isTrue("accepted_entries")),
        deltas(json));
  }

  /** They must be one chain that ends at the version. */
  private static List<Delta> deltas(JsonObject feed) throws UnusableException {
    List<Delta> deltas = new ArrayList<>();
    for (JsonValue one : feed.elements("deltas")) {
      JsonObject json = object(one);
      Delta delta =
          new Delta(
              matching(json, "from", SHA256),
              matching(json, "to", SHA256),
              within(json, "octets", FleetLimits.TEXT_OCTETS),
              within(json, "packed", FleetLimits.PACKED_OCTETS));
      if (!deltas.isEmpty() && !deltas.getLast().to().equals(delta.from())) {
        throw new UnusableException("the deltas of a feed are no chain");
      }
      deltas.add(delta);
    }
    if (deltas.size() > FleetLimits.DELTAS
        || (!deltas.isEmpty() && !deltas.getLast().to().equals(matching(feed, "sha256", SHA256)))) {
      throw new UnusableException("the deltas of a feed do not lead to its version");
    }
    return deltas;
  }

  private static JsonObject object(JsonValue value) throws UnusableException {
    if (value instanceof JsonObject json) {
      return json;
    }
    throw new UnusableException("the manifest has a list of something else than objects");
  }

  private static String matching(JsonObject json, String name, Pattern pattern)
      throws UnusableException {
    return json.text(name)
        .filter(text -> pattern.matcher(text).matches())
        .orElseThrow(() -> new UnusableException("the manifest has no usable " + name));
  }

  private static long within(JsonObject json, String name, long most) throws UnusableException {
    return within(json.get(name).orElse(null) instanceof JsonNumber(String n) ? n : "", most);
  }

  private static long within(String literal, long most) throws UnusableException {
    if (!literal.matches("[0-9]{1,18}") || Long.parseLong(literal) > most) {
      throw new UnusableException("the manifest has a size that is none, or above " + most);
    }
    return Long.parseLong(literal);
  }

  private static long number(JsonObject json, String name) throws UnusableException {
    return within(json, name, Long.MAX_VALUE);
  }

  private static Instant instant(JsonObject json, String name) throws UnusableException {
    try {
      return Instant.parse(json.text(name).orElse(""));
    } catch (DateTimeException e) {
      throw new UnusableException("the manifest has no usable " + name);
    }
  }
}
