package io.bloomgate.cli.command;

import io.bloomgate.blocklists.workbench.WorkbenchTools;
import java.io.InputStream;
import java.io.PrintStream;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * The environment of a command; handed in by the composition root, so that tests can replace it.
 *
 * @param nanoTime monotonic time in nanoseconds
 * @param executor runs what a fetch needs beside the command's own thread
 * @param terminal true when a person looks at {@code out}
 * @param means what work on filter files takes
 */
public record Surroundings(
    InputStream in,
    AnswerStream out,
    PrintStream err,
    Map<String, String> environment,
    InstantSource clock,
    LongSupplier nanoTime,
    Executor executor,
    boolean terminal,
    WorkbenchTools means) {}
