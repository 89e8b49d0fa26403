package io.bloomgate.gateway;

import io.bloomgate.blocklists.file.DurableFiles;
import io.bloomgate.config.fault.Faults;
import io.bloomgate.gateway.relay.XclientMemory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The servers that took XCLIENT, in a file of the state directory, a line {@code HOST:PORT} each: a
 * restart must not make it look normal that one has stopped taking it. Read once at start, by
 * {@link Assembly}; written on the session's thread that finds a new one, so once a server.
 */
final class XclientServers implements XclientMemory {

  static final String FILE_NAME = "xclient.servers";

  private static final Logger LOG = LoggerFactory.getLogger(XclientServers.class);

  private final Path file;
  private final Set<String> servers;

  private XclientServers(Path file, Set<String> servers) {
    this.file = file;
    this.servers = servers;
  }

  /** Reads the file; none is as good as an empty one. */
  static XclientServers open(Path file) {
    Set<String> servers = new TreeSet<>();
    try {
      if (Files.exists(file)) {
        servers.addAll(Files.readAllLines(file, StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      LOG.warn(
          "{} cannot be read, it is found out anew who takes XCLIENT: {}", file, Faults.reason(e));
    }
    return new XclientServers(file, servers);
  }

  @Override
  public synchronized boolean holds(String server) {
    return servers.contains(server);
  }

  @Override
  public synchronized void remember(String server) {
    if (!servers.add(server)) {
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
