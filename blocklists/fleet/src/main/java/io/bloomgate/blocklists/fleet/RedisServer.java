package io.bloomgate.blocklists.fleet;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.bloomgate.config.settings.FleetKeyFiles;
import io.bloomgate.config.settings.FleetSettings.RedisAddress;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.SslVerifyMode;
import redis.clients.jedis.StreamEntryID;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.params.XReadParams;
import redis.clients.jedis.resps.StreamEntry;
import redis.clients.jedis.util.JedisURIHelper;

/**
 * A server that speaks the Redis protocol (RESP): the one place that makes a client of the library.
 * Commands block the thread that gives them, 2 s at most for each piece of a reply: what Redis says
 * is trusted, also in its length. Called on threads of the fleet and of commands, never on the
 * thread of a session.
 */
final class RedisServer implements AutoCloseable {

  /** The longest time for connecting, and for each piece of a reply. */
  static final Duration TIMEOUT = Duration.ofSeconds(2);

  private static final int CONNECTIONS = 4;

  private static final String STORE = "PKCS12";
  private static final String STORE_WORD = "unused";

  private final RedisClient client;

  private RedisServer(RedisClient client) {
    this.client = client;
  }

  /**
   * A client of this server; the first command connects.
   *
   * @throws JedisException when the certificates of its authorities cannot be read
   */
  static RedisServer at(RedisAddress address) {
    return at(address, CONNECTIONS);
  }

  /** The same with this many connections at most. */
  static RedisServer at(RedisAddress address, int connections) {
    ConnectionPoolConfig pool = new ConnectionPoolConfig();
    pool.setMaxTotal(connections);
    pool.setMaxWait(TIMEOUT);
    int millis = (int) TIMEOUT.toMillis();
    DefaultJedisClientConfig.Builder options =
        DefaultJedisClientConfig.builder(address.text())
            .connectionTimeoutMillis(millis)
            .socketTimeoutMillis(millis)
            .blockingSocketTimeoutMillis(millis)
            .clientName("bloomgate");
    if (address.isSecure()) {
      options.sslOptions(tls(address.authorities()));
    }
    return new RedisServer(
        RedisClient.builder()
            .hostAndPort(JedisURIHelper.getHostAndPort(address.text()))
            .clientConfig(options.build())
            .poolConfig(pool)
            .build());
  }

  /** The certificate must be of the host that is named, and of one of the authorities. */
  private static SslOptions tls(@Nullable Path authorities) {
    SslOptions.Builder options = SslOptions.builder().sslVerifyMode(SslVerifyMode.FULL);
    if (authorities != null) {
      byte[] trusted = trusted(authorities);
      options
          .trustStoreType(STORE)
          .truststore(() -> new ByteArrayInputStream(trusted), STORE_WORD.toCharArray());
    }
    return options.build();
  }

  /** The library takes a key store; this one is never written and holds no secret. */
  private static byte[] trusted(Path authorities) {
    try {
      KeyStore store = KeyStore.getInstance(STORE);
      store.load(null, null);
      for (Certificate one : FleetKeyFiles.authorities(authorities)) {
        store.setCertificateEntry("authority " + store.size(), one);
      }
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      store.store(out, STORE_WORD.toCharArray());
      return out.toByteArray();
    } catch (GeneralSecurityException | IOException e) {
      throw new JedisException(String.valueOf(e.getMessage()), e);
    }
  }

  /** The client; its commands throw {@code JedisException} when the server cannot be asked. */
  RedisClient commands() {
    return client;
  }

  /** The server's own clock, in milliseconds since 1970. */
  long millis() {
    Object reply = client.executeCommand(new CommandArguments(Protocol.Command.TIME));
    if (reply instanceof List<?> parts
        && parts.size() == 2
        && parts.get(0) instanceof byte[] seconds
        && parts.get(1) instanceof byte[] micros) {
      return number(seconds) * 1_000 + number(micros) / 1_000;
    }
    throw new JedisDataException("TIME has another reply");
  }

  /** Reads records behind a place of a stream; none where there are none in time. */
  List<StreamEntry> read(String stream, StreamEntryID behind, XReadParams params) {
    var answer = client.xread(params, Map.of(stream, behind));
    return answer == null || answer.isEmpty() ? List.of() : answer.getFirst().getValue();
  }

  /** Returns the place of the newest record of a stream; 0-0 where there is none. */
  StreamEntryID newest(String stream) {
    List<StreamEntry> last =
        client.xrevrange(stream, (StreamEntryID) null, (StreamEntryID) null, 1);
    return last.isEmpty() ? new StreamEntryID(0, 0) : last.getFirst().getID();
  }

  private static long number(byte[] digits) {
    try {
      return Long.parseLong(new String(digits, US_ASCII));
    } catch (NumberFormatException e) {
      throw new JedisDataException("TIME has another reply", e);
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
