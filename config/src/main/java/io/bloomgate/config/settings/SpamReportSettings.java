package io.bloomgate.config.settings;

import io.bloomgate.config.notation.Values;
import io.bloomgate.config.settings.yaml.Section;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The section {@code reports}: an address to which own users send spam that reached them.
 * Immutable; read by sessions.
 *
 * @param address as written; {@code null} for none
 * @param sizeOctets of one report that is read; a longer one is only passed on
 * @param perMinute reports that are read; further ones are only passed on
 */
public record SpamReportSettings(@Nullable String address, long sizeOctets, int perMinute) {

  static SpamReportSettings bind(Section s, List<String> domains) {
    String address = s.orNull("address", ReportSettings.MAILBOX);
    s.problemIf(
        address != null && !ReportSettings.isAt(address, OwnDomains.of(domains)),
        "address",
        "reports are sent to an address that is not at one of our domains",
        "name one at `domains`, or mail for it is refused as relaying");
    return new SpamReportSettings(
        address,
        s.value("size", "10MiB", Values.size("64KiB", "100MiB")),
        s.value("per_minute", "30", Values.integer(1, 10_000)));
  }
}
