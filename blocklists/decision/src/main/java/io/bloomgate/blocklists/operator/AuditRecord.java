package io.bloomgate.blocklists.operator;

import java.time.Instant;

/**
 * A change of an operator list: its time, author and command. Immutable.
 *
 * @param author Unix user of the command
 * @param command the command, as {@code allow add}
 * @param subject the entry or feed that was changed, as {@link OperatorText} writes it
 */
public record AuditRecord(Instant time, String author, String command, String subject) {}
