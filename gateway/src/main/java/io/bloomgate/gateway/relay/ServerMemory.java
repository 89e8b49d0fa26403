package io.bloomgate.gateway.relay;

import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.config.json.JsonRecords;
import io.bloomgate.config.json.JsonSyntaxException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what a restart must not forget of mail servers, in a file of the state directory: of each
 * {@code HOST:PORT} whether it has taken XCLIENT, and what it offered last.
 *
 * <p>Once a server has taken XCLIENT, {@code client_address: auto} means XCLIENT for it: a server
 * that stops taking XCLIENT would take every client for the gateway, which it trusts. What it
 * offered is offered to clients before it has answered again: a sender that is offered less gives
 * up mail that needs it (RFC 6531 section 3.2), or rewrites it (RFC 6152 section 3).
 *
 * <p>The file is read once at start. A new server, and one that takes XCLIENT for the first time,
 * are written on the thread of the session that finds it; the rest by housekeeping. Asked by {@link
 * UpstreamConnector} on any thread; thread-safe.
 */
public final class ServerMemory implements AutoCloseable {

  /** The file's name in the state directory. */
  public static final String FILE_NAME = "mail.servers";

  /** Far more than all servers need. */
  private static final int MOST_OCTETS = 1 << 20;

  private static final Logger LOG = LoggerFactory.getLogger(ServerMemory.class);

  private record Known(boolean tookXclient, UpstreamExtensions offers) {}

  /** The content of the file. */
  private record Kept(Map<String, Known> servers) {}

  /** {@code null} when the memory ends with the process. */
  private final @Nullable Path file;

  private final Map<String, Known> servers = new TreeMap<>();
  private boolean changed;
  private boolean failed;

  private ServerMemory(@Nullable Path file) {
    this.file = file;
  }

  /** Reads the file; a missing file counts as an empty one. */
  public static ServerMemory open(Path file) {
    ServerMemory memory = new ServerMemory(file);
    try {
      if (Files.exists(file)) {
        String text = new String(DurableFiles.read(file, MOST_OCTETS), StandardCharsets.UTF_8);
        memory.servers.putAll(JsonRecords.read(Kept.class, text).servers());
      }
    } catch (IOException | JsonSyntaxException e) {
      LOG.warn(
          "{} cannot be read; the gateway learns again what mail servers offer: {}",
          file,
          Faults.words(e));
    }
    return memory;
  }

  /** A memory without a file, which ends with the process. */
  public static ServerMemory ofProcess() {
    return new ServerMemory(null);
  }

  /** True when this server took XCLIENT. */
  synchronized boolean tookXclient(String server) {
    Known known = servers.get(server);
    return known != null && known.tookXclient;
  }

  /** Returns what this server offered last; {@code null} when it never answered. */
  synchronized @Nullable UpstreamExtensions offers(String server) {
    Known known = servers.get(server);
    return known == null ? null : known.offers;
  }

  /** This server answered. */
  synchronized void remember(String server, UpstreamExtensions offers, boolean tookXclient) {
    Known before = servers.get(server);
    Known now = new Known(tookXclient || (before != null && before.tookXclient), offers);
    if (now.equals(before)) {
      return;
    }
    servers.put(server, now);
    changed = true;
    // A server that offers this and that in turn must not cost a write for each client.
    if (before == null || now.tookXclient != before.tookXclient) {
      save();
    }
  }

  /** Writes what has changed; a failure is tried again. */
  public synchronized void save() {
    if (!changed || file == null) {
      return;
    }
    try {
      DurableFiles.replace(
          file, JsonRecords.text(new Kept(servers)).getBytes(StandardCharsets.UTF_8));
      changed = false;
      failed = false;
    } catch (IOException e) {
      if (!failed) {
        LOG.warn(
            "{} cannot be written now; a restart will not know it: {}", file, Faults.reason(e));
      }
      failed = true;
    }
  }

  @Override
  public void close() {
    save();
  }
}
