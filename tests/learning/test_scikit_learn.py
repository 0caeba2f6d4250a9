"""The estimators inside scikit-learn.

Its own checks feed rows of numbers, which are no graphs. Of the checks that it makes for a
classifier, those run here that fit nothing. These do not apply, and why:

- check_fit1d, check_fit2d_*, check_estimators_dtypes, check_estimators_nan_inf, check_complex_data,
  check_dtype_object, check_n_features_in*, check_estimator_sparse_*, check_f_contiguous_*,
  check_readonly_memmap_input, check_classifier_data_not_an_array, check_supervised_y_2d,
  check_dataframe_column_names_consistency, check_positive_only_tag_during_fit: they are about
  arrays as input.
- check_classifiers_one_label: one class is an error here.
- check_requires_y_none: y may be left out, since a Dataset brings its classes.
- check_classifiers_regression_target, check_sample_weight*, check_all_zero_sample_weights_error:
  they fit arrays; real numbers as classes and weights are tried with graphs in test_classifier.py.
- check_estimators_empty_data_messages: the message about no graphs is our own.
- check_fit_idempotent, check_dict_unchanged, check_dont_overwrite_parameters,
  check_estimators_overwrite_params, check_estimators_pickle, check_fit_check_is_fitted,
  check_estimators_fit_returns_self, check_fit_score_takes_y, check_pipeline_consistency,
  check_methods_subset_invariance, check_methods_sample_order_invariance, check_classifiers_classes,
  check_classifiers_train, check_decision_proba_consistency, check_class_weight_*: they fit arrays;
  the same is said with graphs below and in test_classifier.py.
"""

import pickle
from collections.abc import Callable
from typing import Any

import joblib
import numpy as np
import pytest
from sklearn.base import clone, is_classifier
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils import estimator_checks as checks
from sklearn.utils.validation import check_is_fitted

import graphrings as gr
from learning.settings import KINDS, QUICK

every_kind = pytest.mark.parametrize("kind", KINDS)
CHECKS = [
    checks.check_do_not_raise_errors_in_init_or_set_params,
    checks.check_estimator_cloneable,
    checks.check_estimator_repr,
    checks.check_estimator_tags_renamed,
    checks.check_estimators_unfitted,
    checks.check_estimators_partial_fit_n_features,
    checks.check_get_params_invariance,
    checks.check_mixin_order,
    checks.check_no_attributes_set_in_init,
    checks.check_non_transformer_estimators_n_iter,
    checks.check_parameters_default_constructible,
    checks.check_set_params,
    checks.check_valid_tag_types,
]


@every_kind
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
def test_the_checks_of_scikit_learn_pass(kind: type, check: Callable[[str, Any], None]) -> None:
    check(kind.__name__, kind())


@every_kind
def test_a_clone_has_the_settings_and_nothing_learned(kind: Any, egos: gr.Dataset) -> None:
    model = kind(**QUICK).fit(egos)
    copied = clone(model)
    assert is_classifier(copied)
    assert copied.get_params() == model.get_params()
    assert not hasattr(copied, "network_")


@every_kind
def test_a_fit_returns_itself_and_changes_no_setting(kind: Any, egos: gr.Dataset) -> None:
    model = kind(**QUICK)
    before = model.get_params()
    assert model.fit(egos) is model
    assert model.get_params() == before
    check_is_fitted(model)


@every_kind
def test_a_prediction_changes_nothing(kind: Any, egos: gr.Dataset) -> None:
    model = kind(**QUICK).fit(egos)
    before = dict(vars(model))
    model.predict(egos)
    model.predict_proba(egos[:3])
    assert vars(model) == before


@every_kind
def test_a_second_fit_is_like_the_first(kind: Any, egos: gr.Dataset) -> None:
    model = kind(**QUICK).fit(egos)
    first = model.predict_proba(egos)
    assert np.array_equal(model.fit(egos).predict_proba(egos), first)


@every_kind
def test_a_pickled_model_predicts_the_same(kind: Any, egos: gr.Dataset) -> None:
    model = kind(**QUICK).fit(egos)
    again = pickle.loads(pickle.dumps(model))  # noqa: S301
    assert np.array_equal(again.predict_proba(egos), model.predict_proba(egos))


@every_kind
def test_a_graph_is_predicted_alike_alone_and_among_others(
    kind: Any, molecules: gr.Dataset
) -> None:
    model = kind(**QUICK).fit(molecules)
    together = model.predict_proba(molecules)
    alone = np.concatenate([model.predict_proba(molecules[[i]]) for i in range(len(molecules))])
    order = np.random.default_rng(0).permutation(len(molecules))
    assert alone == pytest.approx(together, abs=1e-5)
    assert model.predict_proba(molecules[order]) == pytest.approx(together[order], abs=1e-5)


def test_cross_validation(egos: gr.Dataset) -> None:
    model = gr.PGCClassifier(**QUICK | {"max_epochs": 30})
    scores = cross_val_score(model, list(egos), egos.targets, cv=StratifiedKFold(3))
    assert scores.mean() > 0.8
    assert np.array_equal(cross_val_score(model, egos, egos.targets, cv=StratifiedKFold(3)), scores)


def test_a_grid_search_over_the_radius(egos: gr.Dataset) -> None:
    search = GridSearchCV(gr.PGCClassifier(**QUICK), {"radius": [0, 1]}, cv=2, refit=True)
    search.fit(egos, egos.targets)
    assert search.best_params_["radius"] in (0, 1)
    assert search.best_estimator_.network_.convs[0].radius == search.best_params_["radius"]
    assert search.predict(egos).shape == (40,)


def test_a_pipeline(egos: gr.Dataset) -> None:
    steps = [("same", FunctionTransformer()), ("model", gr.DGCNNClassifier(**QUICK))]
    pipeline = Pipeline(steps).fit(egos, egos.targets)
    direct = gr.DGCNNClassifier(**QUICK).fit(egos)
    assert np.array_equal(pipeline.predict_proba(egos), direct.predict_proba(egos))
    assert pipeline.score(egos, egos.targets) == direct.score(egos)


def test_threads_side_by_side(egos: gr.Dataset) -> None:
    model = gr.PGCClassifier(**QUICK).fit(egos)
    parts = [egos[:20], egos[20:]]
    calls = (joblib.delayed(model.predict_proba)(part) for part in parts)
    probabilities = np.concatenate(joblib.Parallel(n_jobs=2, prefer="threads")(calls))
    assert probabilities == pytest.approx(model.predict_proba(egos), abs=1e-6)


@pytest.mark.slow
def test_processes_side_by_side(egos: gr.Dataset) -> None:
    calls = (joblib.delayed(gr.PGCClassifier(**QUICK).fit)(egos) for _ in range(2))
    models = joblib.Parallel(n_jobs=2)(calls)
    here = gr.PGCClassifier(**QUICK).fit(egos).predict_proba(egos)
    for model in models:
        assert np.array_equal(model.predict_proba(egos), here)
