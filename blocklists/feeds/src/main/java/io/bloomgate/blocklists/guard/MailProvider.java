package io.bloomgate.blocklists.guard;

import io.bloomgate.config.name.IpPrefix;
import java.util.ArrayList;
import java.util.List;

/**
 * A large mailbox provider whose sending networks no feed may list. Shipped with the product; see
 * {@link MailProviders#providers}. Immutable.
 *
 * @param records names of the SPF records in which the provider publishes its networks; empty when
 *     it publishes none
 * @param networks as they were when this release was made
 */
public record MailProvider(String name, List<String> records, List<IpPrefix> networks) {

  public MailProvider {
    records = List.copyOf(records);
    networks = List.copyOf(networks);
  }

  /**
   * Reads the shipped file: a heading {@code [NAME: RECORD, RECORD]} and networks, a line each.
   * Pure.
   */
  static List<MailProvider> parse(List<String> lines) {
    List<MailProvider> all = new ArrayList<>();
    for (String line : lines) {
      if (line.startsWith("[")) {
        String heading = line.substring(1, line.length() - 1);
        int colon = heading.indexOf(':');
        all.add(
            new MailProvider(
                colon < 0 ? heading : heading.substring(0, colon),
                colon < 0 ? List.of() : List.of(heading.substring(colon + 1).strip().split(", ")),
                List.of()));
      } else {
        all.add(all.removeLast().and(IpPrefix.parse(line).toOptional().orElseThrow()));
      }
    }
    return List.copyOf(all);
  }

  private MailProvider and(IpPrefix network) {
    List<IpPrefix> more = new ArrayList<>(networks);
    more.add(network);
    return new MailProvider(name, records, more);
  }
}
