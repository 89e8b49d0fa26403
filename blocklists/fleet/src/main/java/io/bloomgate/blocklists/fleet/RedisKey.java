package io.bloomgate.blocklists.fleet;

import io.bloomgate.config.notation.BadValueException;
import io.bloomgate.config.settings.FleetSettings.RedisAddress;
import java.net.URI;
import java.util.regex.Pattern;

/**
 * A key on a server, as commands name it: {@code redis://HOST:PORT[/DB]/KEY}. Immutable.
 *
 * @param server with the number of its database
 * @param key printable ASCII without spaces
 */
public record RedisKey(RedisAddress server, String key) {

  private static final Pattern PATH = Pattern.compile("/(?:([0-9]{1,5})/)?([!-~]{1,512})");
  private static final String HINT = "write redis://HOST:PORT/KEY, or redis://HOST:PORT/DB/KEY";

  /** True when a text is meant as such an address, not as a file. */
  public static boolean isSpelled(String text) {
    return text.startsWith("redis://") || text.startsWith("rediss://");
  }

  /** Reads an address. */
  public static RedisKey read(String text) throws BadValueException {
    URI uri = RedisAddress.read(text).text();
    var path = PATH.matcher(uri.getPath() == null ? "" : uri.getPath());
    if (!path.matches() || uri.getRawQuery() != null || uri.getRawFragment() != null) {
      throw new BadValueException("this address names no key of a Redis server", HINT);
    }
    String database = path.group(1) == null ? "" : "/" + path.group(1);
    return new RedisKey(
        RedisAddress.read(uri.getScheme() + "://" + uri.getRawAuthority() + database),
        path.group(2));
  }

  /** Writes the address without user and password, for people. */
  @Override
  public String toString() {
    return server.shown() + "/" + key;
  }
}
