package io.bloomgate.gateway.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomgate.gateway.relay.ContentBudget;
import io.bloomgate.gateway.smtp.Argument;
import io.bloomgate.gateway.smtp.RcptCommand;
import org.junit.jupiter.api.Test;

/** What recipients count in the budget of content. */
final class AcceptedRecipientsTest {

  private static long takenBy(String localPart) {
    ContentBudget budget = new ContentBudget(1024 * 1024);
    AcceptedRecipients recipients = new AcceptedRecipients(budget);
    recipients.add(
        ((Argument.Valid<RcptCommand>)
                RcptCommand.parse("TO:<" + localPart + "@example.com>", true))
            .value());
    return budget.takenOctets();
  }

  /** One letter beyond Latin-1 makes each character of a text two octets in memory. */
  @Test
  void anInternationalRecipientCountsTheOctetsThatItTakes() {
    String local = "a".repeat(200);
    int more = local.length() + (local + "@example.com").length();
    assertEquals(takenBy(local) + more, takenBy("\u0436" + local.substring(1)));
    assertEquals(takenBy(local), takenBy("\u00e4" + local.substring(1)));
  }
}
