/**
 * {@code sessions}, {@code top} and {@code stats}: what happened to mail, from the gateway's store.
 *
 * <p>The gateway answers; where none runs, the files are read. One thread.
 */
@NullMarked
package io.bloomgate.cli.sessions;

import org.jspecify.annotations.NullMarked;
