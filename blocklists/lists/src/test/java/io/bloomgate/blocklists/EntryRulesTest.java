package io.bloomgate.blocklists;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomgate.blocklists.operator.NewEntry;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.Subject;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules for entries where no settings are known. */
class EntryRulesTest {

  @ParameterizedTest
  @CsvSource({
    "BLOCK, gmail.com, true",
    "BLOCK, 209.85.128.0/17, true",
    "BLOCK, 0.0.0.0/0, true",
    "BLOCK, co.uk, true",
    "BLOCK, 10.1.2.3, false",
    "BLOCK, spam.example, false",
    "BLOCK, x@gmail.com, false",
    "ALLOW, gmail.com, false"
  })
  void someEntriesNeedForce(ListKind list, String subject, boolean needsForce) {
    EntryRules rules = EntryRules.withoutSettings(Instant.EPOCH);
    NewEntry entry = NewEntry.of(list, Subject.parse(subject).toOptional().orElseThrow(), "");
    assertEquals(needsForce, rules.check(entry, false).isPresent());
    assertTrue(rules.check(entry, true).isEmpty());
  }
}
