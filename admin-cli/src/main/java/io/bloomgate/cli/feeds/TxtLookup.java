package io.bloomgate.cli.feeds;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.bloomgate.blocklists.guard.SpfNetworks.TxtRecords;
import io.bloomgate.config.settings.HostPort;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.ExtendedResolver;
import org.xbill.DNS.Lookup;
import org.xbill.DNS.Name;
import org.xbill.DNS.Resolver;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.TXTRecord;
import org.xbill.DNS.Type;

/**
 * TXT records by dnsjava, which repeats a question by TCP where an answer is too long for UDP. For
 * one command, on its thread.
 */
final class TxtLookup implements TxtRecords {

  /** The time for one question with its repetitions. */
  private static final Duration TIMEOUT = Duration.ofSeconds(6);

  private final Resolver resolver;

  /**
   * Asks nothing yet.
   *
   * @param server {@code null} for the name servers of the system
   */
  TxtLookup(@Nullable HostPort server) {
    resolver =
        server == null
            ? new ExtendedResolver()
            : new SimpleResolver(new InetSocketAddress(server.host(), server.port()));
    resolver.setTimeout(TIMEOUT);
  }

  @Override
  public List<String> of(String name) throws IOException {
    Lookup lookup = new Lookup(Name.fromString(name, Name.root), Type.TXT);
    lookup.setResolver(resolver);
    lookup.setCache(null);
    lookup.run();
    return switch (lookup.getResult()) {
      case Lookup.SUCCESSFUL ->
          Arrays.stream(lookup.getAnswers()).map(record -> joined((TXTRecord) record)).toList();
      case Lookup.HOST_NOT_FOUND, Lookup.TYPE_NOT_FOUND -> List.of();
      default -> throw new IOException("no answer about " + name + ": " + lookup.getErrorString());
    };
  }

  /**
   * RFC 7208 section 3.3: the character strings of a record are one text, without spaces between.
   */
  private static String joined(TXTRecord record) {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    record.getStringsAsByteArrays().forEach(text::writeBytes);
    return text.toString(UTF_8);
  }
}
