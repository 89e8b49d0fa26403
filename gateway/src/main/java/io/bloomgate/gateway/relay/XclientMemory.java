package io.bloomgate.gateway.relay;

import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.config.fault.Faults;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which servers have taken XCLIENT from the gateway, in a file of the state directory, a line
 * {@code HOST:PORT} each. From then on {@code client_address: auto} means XCLIENT for that server:
 * a server that stops taking XCLIENT would take every client for the gateway, which it trusts. So a
 * restart must not forget it.
 *
 * <p>The file is read once at start and written on the thread of the session that finds a new
 * server. Asked by {@link UpstreamConnector} on any thread; thread-safe.
 */
public final class XclientMemory {

  /** The file's name in the state directory. */
  public static final String FILE_NAME = "xclient.servers";

  private static final Logger LOG = LoggerFactory.getLogger(XclientMemory.class);

  /** {@code null} when the memory ends with the process. */
  private final @Nullable Path file;

  private final Set<String> servers;

  private XclientMemory(@Nullable Path file, Set<String> servers) {
    this.file = file;
    this.servers = servers;
  }

  /** Reads the file; a missing file counts as an empty one. */
  public static XclientMemory open(Path file) {
    Set<String> servers = new TreeSet<>();
    try {
      if (Files.exists(file)) {
        servers.addAll(Files.readAllLines(file, StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      LOG.warn(
          "{} cannot be read; the gateway learns again which servers take XCLIENT: {}",
          file,
          Faults.reason(e));
    }
    return new XclientMemory(file, servers);
  }

  /** A memory without a file, which ends with the process. */
  public static XclientMemory ofProcess() {
    return new XclientMemory(null, new TreeSet<>());
  }

  /** True when this server took XCLIENT. */
  synchronized boolean holds(String server) {
    return servers.contains(server);
  }

  /** This server took XCLIENT. */
  synchronized void remember(String server) {
    if (!servers.add(server) || file == null) {
      return;
    }
    try {
      String lines = String.join("\n", servers) + "\n";
      DurableFiles.replace(file, lines.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      LOG.warn("{} cannot be written; a restart will not know it: {}", file, Faults.reason(e));
    }
  }
}
