package io.bloomgate.config.settings;

import io.bloomgate.config.settings.Settings.Policy;
import io.bloomgate.config.settings.Settings.Policy.BareNewline;
import io.bloomgate.config.settings.Settings.Policy.BeforeFirstLists;
import io.bloomgate.config.settings.Settings.Policy.OnError;
import io.bloomgate.config.settings.Settings.Policy.RejectAt;
import java.util.List;

/** The section {@code policy}. Pure. */
final class PolicyBinder {

  private PolicyBinder() {}

  static Policy bind(Section s) {
    RejectAt rejectAt = s.value("reject_at", "rcpt", Words.dashed(RejectAt.class));
    List<String> exempt =
        s.list("exempt_recipients", List.of("postmaster", "abuse"), Names::localPart);
    if (rejectAt == RejectAt.CONNECT && !exempt.isEmpty()) {
      s.warn(
          "reject_at",
          "with reject_at: connect a listed client never gets as far as RCPT, so "
              + String.join(", ", exempt)
              + " cannot be spared",
          "set reject_at: rcpt, or exempt_recipients: []");
    }
    return new Policy(
        rejectAt,
        exempt,
        s.list("exempt_networks", List.of(), Names::network),
        s.value("on_error", "accept", Words.dashed(OnError.class)),
        s.value("url", "", Values.helpPage()),
        s.value("bare_newline", "reject", Words.dashed(BareNewline.class)),
        s.value("before_first_lists", "accept", Words.dashed(BeforeFirstLists.class)));
  }
}
