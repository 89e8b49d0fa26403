package io.bloomgate.blocklists.fleet;

import io.bloomgate.config.settings.FleetSettings.RedisAddress;
import java.io.Serial;
import java.security.cert.CertificateException;
import redis.clients.jedis.exceptions.JedisAccessControlException;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * Redis cannot be asked, or holds something else. Both texts may hold what a server said, and are
 * escaped where they are shown.
 */
public final class RedisException extends Exception {

  @Serial private static final long serialVersionUID = 1L;

  private final String problem;
  private final String hint;

  RedisException(String problem, String hint) {
    super(problem);
    this.problem = problem;
    this.hint = hint;
  }

  /** Says why a command failed. */
  static RedisException of(RedisAddress server, JedisException e) {
    String words = words(e);
    RedisException failure =
        switch (e) {
          case JedisAccessControlException _ ->
              new RedisException(
                  server + " refuses this user: " + words,
                  "write redis://USER:PASSWORD@HOST:PORT; the handbook lists the commands it"
                      + " needs");
          case JedisDataException _ when words.startsWith("WRONGTYPE") ->
              new RedisException(
                  "a key of the fleet at " + server + " belongs to another program: " + words,
                  "choose another fleet.key_prefix, on all nodes");
          case JedisDataException _ when words.startsWith("OOM") ->
              new RedisException(
                  server + " is full: " + words, "raise its maxmemory, or give it to the fleet");
          case JedisDataException _ when words.startsWith("READONLY") ->
              new RedisException(
                  server + " is a replica, which takes no changes: " + words,
                  "name the server that it copies");
          case JedisDataException _ ->
              new RedisException(server + " refuses a command: " + words, "look at its log");
          case JedisConnectionException _ when isOfCertificate(e) ->
              new RedisException(
                  server + " shows a certificate that is not trusted: " + words,
                  "it must be of that host, and of the authority that fleet.redis_ca names");
          case JedisConnectionException _ ->
              new RedisException(
                  server + " cannot be reached: " + words, "check address, TLS and firewall");
          case JedisException _
              when e.getCause() instanceof ClassCastException
                  || e.getCause() instanceof NullPointerException ->
              new RedisException(server + " does not answer as Redis does", "check the address");
          default -> new RedisException(server + " cannot be asked: " + words, "try again");
        };
    failure.initCause(e);
    return failure;
  }

  private static boolean isOfCertificate(Throwable e) {
    for (Throwable one = e; one != null; one = one.getCause()) {
      if (one instanceof CertificateException) {
        return true;
      }
    }
    return false;
  }

  /** The innermost message: those around it only say that a connection failed. */
  private static String words(Throwable e) {
    Throwable inner = e;
    while (inner.getCause() != null) {
      inner = inner.getCause();
    }
    String words = inner.getMessage();
    return words == null ? inner.getClass().getSimpleName() : words.replaceAll("\\.+$", "");
  }

  /** Says what is wrong, and how to fix it. */
  String sentence() {
    return problem + "; " + hint;
  }

  /** Says what is wrong. */
  public String problem() {
    return problem;
  }

  /** Says how to fix it. */
  public String hint() {
    return hint;
  }
}
