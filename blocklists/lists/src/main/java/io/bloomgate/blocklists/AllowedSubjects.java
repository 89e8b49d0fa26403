package io.bloomgate.blocklists;

import io.bloomgate.blocklists.operator.OperatorLists;
import io.bloomgate.blocklists.operator.OperatorListsException;
import io.bloomgate.config.name.ListKind;
import io.bloomgate.config.name.Subject;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The subjects of the operator's allow entries, which belong to the known-good set of a build. Made
 * by {@link Blocklists}; asked on the feed-refresher thread.
 *
 * @param alarm receives a sentence when the entries cannot be read
 */
record AllowedSubjects(OperatorLists operator, Consumer<String> alarm)
    implements Supplier<List<Subject>> {

  /**
   * The largest number of subjects of one build, the oldest first. A chance hit of those beyond the
   * limit costs a look at the exact index, never a mail.
   */
  private static final int MOST = 100_000;

  @Override
  public List<Subject> get() {
    try {
      return operator.subjects(ListKind.ALLOW, MOST);
    } catch (OperatorListsException e) {
      alarm.accept("allow entries are not in the known-good set: " + e.userMessage());
      return List.of();
    }
  }
}
