package io.bloomgate.config.settings;

import io.bloomgate.config.notation.BadValueException;
import io.bloomgate.config.notation.Values;
import io.bloomgate.config.notation.Values.Reader;
import io.bloomgate.config.settings.yaml.Section;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The section {@code fleet}: several gateways that share lists, entries and counters. Immutable;
 * read by the gateway and by commands.
 *
 * @param node this gateway's name within the fleet
 * @param redis {@code redis://}, or {@code rediss://} with TLS; {@code null} when nothing but
 *     generations is shared
 * @param keyPrefix of every key in Redis, so that several programs use one server
 * @param publish folder that the leader writes generations to, for a web server; {@code null} when
 *     this node never leads
 * @param privateKey Ed25519, PEM, signs what is published; with {@code publish}
 * @param generations where followers find what the leader published: an address that ends with /,
 *     or a folder; {@code null} when this node never follows
 * @param publicKey Ed25519, PEM, of the leader; with {@code generations}
 * @param secret the same file on all nodes; seeds of filters are made from it, so that all nodes
 *     build the same generation, and the keys of TLS tickets
 * @param every how often a follower looks
 * @param counters senders and rates are counted together, and copies of mails where there is a
 *     secret
 */
public record FleetSettings(
    String node,
    Role role,
    @Nullable RedisAddress redis,
    String keyPrefix,
    @Nullable Path publish,
    @Nullable Path privateKey,
    @Nullable String generations,
    @Nullable Path publicKey,
    @Nullable Path secret,
    Duration every,
    boolean counters) {

  /** The part of this gateway in a fleet: who fetches feeds for all. */
  public enum Role {
    /** The node that holds the lease in Redis. */
    AUTO,
    LEADER,
    FOLLOWER
  }

  /**
   * A server that speaks the Redis protocol.
   *
   * @param text as written; it may hold a password, so it is never shown
   * @param authorities PEM of those that may certify a server with TLS; {@code null} for those that
   *     Java knows
   */
  public record RedisAddress(URI text, @Nullable Path authorities) {

    /** Reads an address. */
    public static RedisAddress read(String text) throws BadValueException {
      URI uri =
          Values.address(
              text,
              Set.of("redis", "rediss"),
              "this is not an address of a Redis server",
              "write redis://HOST:PORT, or rediss://HOST:PORT for TLS");
      // The client of Redis takes the scheme in small letters only.
      String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
      return new RedisAddress(URI.create(scheme + text.substring(scheme.length())), null);
    }

    /** True for a server with TLS. */
    public boolean isSecure() {
      return "rediss".equals(text.getScheme());
    }

    /** The address without user and password, for people. */
    public String shown() {
      String path = text.getPath() == null ? "" : text.getPath();
      String port = text.getPort() < 0 ? "" : ":" + text.getPort();
      return text.getScheme() + "://" + text.getHost() + port + path;
    }

    @Override
    public String toString() {
      return shown();
    }
  }

  private static final Reader<String> NODE =
      matching(
          "name",
          "|[a-z0-9](?:[a-z0-9-]{0,29}[a-z0-9])?",
          "small letters, digits and hyphens, 31 at most");

  private static final Reader<String> PREFIX =
      matching("text", "[A-Za-z0-9:._-]{1,64}", "letters, digits and : . _ -, 64 at most");

  private static final Reader<RedisAddress> REDIS =
      Values.hidden("address", FeedUrl::shown, RedisAddress::read);

  /** Reads the section; {@code null} when this gateway is alone. */
  static @Nullable FleetSettings bind(Section s) {
    FleetSettings fleet =
        new FleetSettings(
            s.value("node", "", NODE),
            s.value("role", "auto", Values.dashed(Role.class)),
            redis(s),
            s.value("key_prefix", "bloomgate:", PREFIX),
            s.orNull("publish", s.path()),
            s.orNull("private_key", s.path()),
            s.orNull("generations", origin(s.path())),
            s.orNull("public_key", s.path()),
            s.orNull("secret_file", s.path()),
            s.value("every", "30s", Values.duration("1s", "1d")),
            s.value("counters", "true", Values.BOOLEAN));
    if (!fleet.node.isEmpty()) {
      fleet.check(s);
      fleet.checkFiles(s);
      return fleet;
    }
    s.problemIf(
        fleet.redis != null || fleet.publish != null || fleet.generations != null,
        "node",
        "a fleet in which this gateway has no name",
        "set fleet.node, for example mx1");
    return null;
  }

  private static @Nullable RedisAddress redis(Section s) {
    @Nullable RedisAddress plain = s.orNull("redis", REDIS);
    @Nullable Path authorities = s.orNull("redis_ca", s.path());
    return plain == null ? null : new RedisAddress(plain.text, authorities);
  }

  private void checkFiles(Section s) {
    String hint = "name the certificate of the authority, as PEM";
    Path authorities = redis == null ? null : redis.authorities();
    KeyFiles.check(s, "redis_ca", authorities, FleetKeyFiles::authorities, hint);
    checkFile(s, "private_key", privateKey, FleetKeyFiles::privateKey);
    checkFile(s, "public_key", publicKey, FleetKeyFiles::publicKey);
    checkFile(s, "secret_file", secret, FleetKeyFiles::secret);
  }

  private static void checkFile(
      Section s, String key, @Nullable Path file, KeyFiles.Reading reading) {
    KeyFiles.check(
        s,
        key,
        file,
        reading,
        "`bloomgate fleet key FILE` makes FILE, FILE.pub and FILE.secret; give them to the"
            + " gateway's group: chmod 640");
    s.warnIf(
        file != null && s.around().looks() && KeyFiles.isClosed(file),
        key,
        "you may not read this file, so it was not checked",
        "check as the gateway's user: `sudo -u bloomgate bloomgate config validate`");
  }

  private void check(Section s) {
    s.problemIf(
        redis != null && redis.authorities() != null && !redis.isSecure(),
        "redis_ca",
        "a certificate counts only for a connection with TLS",
        "write fleet.redis: rediss://HOST:PORT");
    s.problemIf(
        publish != null && privateKey == null,
        "publish",
        "what is published must be signed",
        "set fleet.private_key; `bloomgate fleet key FILE` makes one");
    s.problemIf(
        generations != null && publicKey == null,
        "generations",
        "what the leader published is only read with its signature",
        "set fleet.public_key to the leader's public key");
    s.problemIf(
        (publish != null || generations != null) && secret == null,
        "secret_file",
        "nodes without a common secret build different filters",
        "set fleet.secret_file to the same file on all nodes");
    s.problemIf(
        role == Role.LEADER && publish == null && redis == null,
        "role",
        "a leader that publishes nothing",
        "set fleet.publish");
    s.problemIf(
        role == Role.FOLLOWER && generations == null && redis == null,
        "role",
        "a follower that reads nothing",
        "set fleet.generations");
    s.problemIf(
        role == Role.AUTO && redis == null,
        "role",
        "without Redis nobody chooses the leader",
        "set fleet.role: leader or follower");
  }

  private static Reader<String> matching(String notation, String pattern, String means) {
    return Values.noted(
        notation,
        text -> {
          if (!text.matches(pattern)) {
            throw new BadValueException("this text cannot be used here", "use " + means);
          }
          return text;
        });
  }

  private static Reader<String> origin(Reader<Path> path) {
    return Values.hidden(
        "address, or folder",
        FeedUrl::shown,
        text -> {
          if (!text.contains("://")) {
            return path.read(text).toAbsolutePath().toString();
          }
          if (FeedUrl.read(text).isRsync()) {
            throw new BadValueException(
                "a fleet reads no rsync", "write https://HOST/PATH/, or a folder");
          }
          return text.endsWith("/") ? text : text + "/";
        });
  }

  /** True when this node counts with the others; copies of mails only where there is a secret. */
  public boolean countsTogether() {
    return counters && redis != null;
  }

  /** True when this node may fetch for all. */
  public boolean mayLead() {
    return role != Role.FOLLOWER && publish != null;
  }

  /** True when this node takes versions of the leader. */
  public boolean mayFollow() {
    return role != Role.LEADER && generations != null;
  }
}
