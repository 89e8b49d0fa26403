package io.bloomgate.cli.command;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/**
 * The examples at the end of the help of a command: what follows its name, or a whole line with
 * {@code ${COMMAND-FULL-NAME}} in the place of the name.
 */
@Retention(RetentionPolicy.RUNTIME)
public @interface Example {
  String[] value();
}
